import { createHash, createPublicKey, verify } from 'node:crypto';
import { refused, succeeded } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { Broken, holds, same, sentencesOf } from '../sentence.ts';
import { quietFor } from './quiet.ts';

const event = { source: 'conformance', uin: '1' };

/** Asks until the answer is as wanted, for some time: what became of a delivery is written down after it. */
async function until<Value>(ask: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; tries < 100; tries++) {
    const value = await ask();
    if (isWanted(value)) return value;
    await quietFor(0.2);
  }
  throw new Broken('it did not come to be within 20 s');
}

async function deliveredTo({ newTopic, newSubscriber, publish }: Deployment, subject = 'liveBirth') {
  const topic = await newTopic();
  const { letterbox, subscription } = await newSubscriber(topic);
  const messageId = await publish(topic, event, { query: { subject } });
  const [arrival] = await letterbox.arrived('Notification');
  if (arrival === undefined) throw new Broken('nothing came');
  return { topic, letterbox, messageId, arrival, path: `/v1/subscriptions/${subscription.uuid}` };
}

export const subscriber = [
  ...sentencesOf('our page: subscribing', {
    'a filter lets only its subjects through': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { subject: ['death', 'marriage'] });
      await publish(topic, event, { query: { subject: 'liveBirth' } });
      const messageId = await publish(topic, event, { query: { subject: 'death' } });
      await letterbox.arrived('Notification');
      await quietFor(1);
      same(
        'what came',
        letterbox.of('Notification').map(({ headers }) => headers['message-id']),
        [messageId],
      );
    },
    'its state tells active, and how many deliveries wait': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      const status = succeeded(await call('GET', `/v1/subscriptions/${subscription.uuid}`));
      same('state and waiting', [status.state, status.waiting], ['active', 0]);
    },
    'before it is confirmed its state is pending': async ({ newTopic, newLetterbox, subscribe, call }) => {
      const { uuid } = await subscribe(await newTopic(), newLetterbox().address);
      same('state', succeeded(await call('GET', `/v1/subscriptions/${uuid}`)).state, 'pending');
    },
    'PATCH changes policy and filter': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      const body = { policy: '7,3', subjects: ['death'] };
      const changed = succeeded(await call('PATCH', `/v1/subscriptions/${subscription.uuid}`, { body }));
      same('policy and subjects', [changed.policy, changed.subjects], ['7,3', ['death']]);
    },
    'a test event comes to this subscription, with subject test': async ({ newTopic, newSubscriber, call }) => {
      const { letterbox, subscription } = await newSubscriber(await newTopic());
      succeeded(await call('POST', `/v1/subscriptions/${subscription.uuid}/test`));
      const [arrival] = await letterbox.arrived('Notification');
      same('its subject', arrival?.headers.subject, 'test');
    },
    'a receiver that answers 410 is sent nothing more': async ({ newTopic, newSubscriber, publish, call }) => {
      const topic = await newTopic();
      const { letterbox, subscription } = await newSubscriber(topic, { policy: '1,5' }, () => 410);
      await publish(topic, event);
      await letterbox.arrived('Notification');
      const path = `/v1/subscriptions/${subscription.uuid}`;
      const ask = async () => succeeded(await call('GET', path));
      const { active, stateReason } = await until(ask, ({ state }) => state === 'paused');
      same('active and why', [active, stateReason], [false, 'gone']);
    },
  }),
  ...sentencesOf('our page: deliveries', {
    'the list tells that a message was delivered': async (deployment) => {
      const { path, messageId } = await deliveredTo(deployment);
      const ask = async () => succeeded(await deployment.call('GET', `${path}/deliveries`, { query: { messageId } }));
      const [delivery] = await until(ask, ([one]) => one?.state === 'delivered');
      same('its subject and attempts', [delivery.subject, delivery.attempts.length], ['liveBirth', 1]);
    },
    'redelivered, a message comes again with its message-id': async (deployment) => {
      const { path, messageId, letterbox } = await deliveredTo(deployment);
      const ask = async () => succeeded(await deployment.call('GET', `${path}/deliveries`, { query: { messageId } }));
      await until(ask, ([one]) => one?.state === 'delivered');
      succeeded(await deployment.call('POST', `${path}/deliveries/${messageId}/redeliver`), 202);
      const [, again] = await letterbox.arrived('Notification', 2);
      same('its message-id', again?.headers['message-id'], messageId);
    },
    'a message that is not the subscription’s is 404': async (deployment) => {
      const { path } = await deliveredTo(deployment);
      const nobody = '00000000-0000-7000-8000-000000000000';
      refused(await deployment.call('POST', `${path}/deliveries/${nobody}/redeliver`), 404);
    },
    'recover is taken up with 202': async (deployment) => {
      const { path } = await deliveredTo(deployment);
      const covered = succeeded(await deployment.call('POST', `${path}/recover`), 202);
      holds(covered.since <= covered.until, `it covers ${JSON.stringify(covered)}`);
    },
  }),
  ...sentencesOf('our page: signatures', {
    'each delivery is signed by a key of jwks.json, over what it means': async (deployment) => {
      const { arrival } = await deliveredTo(deployment, 'décès 100 %');
      const { headers, body } = arrival;
      same(
        'content-digest',
        headers['content-digest'],
        `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      );
      const shape = /(sig\d+)=(\(([^()]*)\);created=(\d+);keyid="([\w-]+)";alg="ed25519")/;
      const [, label, input = '', list = '', created, keyid] = shape.exec(String(headers['signature-input'])) ?? [];
      const covered = ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest'];
      same('what it covers', list, covered.map((name) => `"${name}"`).join(' '));
      holds(Math.abs(Date.now() / 1000 - Number(created)) < 300, `created is ${created}`);
      const { keys } = succeeded(await deployment.call('GET', '/v1/.well-known/jwks.json', { token: null }));
      const key = keys.find(({ kid }: { kid: string }) => kid === keyid);
      holds(key !== undefined, `jwks.json does not have the key ${keyid}`);
      const [, signature = ''] = new RegExp(`${label}=:([^:]*):`).exec(String(headers.signature)) ?? [];
      const lines = covered.map((name) => `"${name}": ${headers[name]}\n`).join('');
      const content = Buffer.from(`${lines}"@signature-params": ${input}`);
      const isRight = verify(null, content, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64'));
      holds(isRight, 'the signature does not fit');
    },
    'the keys are there for everybody, for an hour': async ({ call }) => {
      const { headers } = await call('GET', '/v1/.well-known/jwks.json', { token: null });
      holds(
        /max-age=3600/.test(headers.get('cache-control') ?? ''),
        `Cache-Control is ${headers.get('cache-control')}`,
      );
    },
    'subject is percent-encoded UTF-8': async (deployment) => {
      const { arrival } = await deliveredTo(deployment, 'décès 100 %');
      same('decoded', decodeURIComponent(String(arrival.headers.subject)), 'décès 100 %');
    },
    'Standard Webhooks’ three headers come with it': async (deployment) => {
      const { arrival, messageId } = await deliveredTo(deployment);
      same('webhook-id', arrival.headers['webhook-id'], messageId);
      for (const name of ['webhook-timestamp', 'webhook-signature']) {
        holds(typeof arrival.headers[name] === 'string', `${name} is missing`);
      }
    },
  }),
];
