import { refused, refusedNaming, succeeded } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { Broken, holds, same, sentencesOf } from '../sentence.ts';
import { deliveredTo } from './delivered-to.ts';
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

/** Asks for it until it is refused. In the worst case a clock hour begins on the way, which gives ten more. */
async function tenInAnHour({ newTopic, newSubscriber, call }: Deployment, what: 'test' | 'recover'): Promise<void> {
  const { subscription } = await newSubscriber(await newTopic());
  const path = `/v1/subscriptions/${subscription.uuid}/${what}`;
  for (let taken = 0; taken <= 20; taken++) {
    const answer = await call('POST', path);
    if (answer.status < 300) continue;
    same('its code', refused(answer, 429).code, 1431);
    const seconds = answer.headers.get('retry-after');
    holds(/^\d+$/.test(seconds ?? '') && Number(seconds) <= 3600, `Retry-After is ${seconds}`);
    holds(taken >= 10, `the ${taken + 1}th was refused`);
    return;
  }
  throw new Broken('21 were taken, and none refused');
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
    'ten test events in a clock hour, then 429 that says when': (deployment) => tenInAnHour(deployment, 'test'),
    'a filter is at most 20 names, and 1,000 characters together': async ({ newTopic, call }) => {
      const { name } = await newTopic();
      const long = Array.from({ length: 5 }, (_, index) => `${index}${'x'.repeat(200)}`);
      for (const subject of [Array.from({ length: 21 }, (_, index) => `conformance ${index}`), long]) {
        const query = { topic: name, address: 'https://receiver.example.org/', subject };
        refusedNaming(await call('POST', '/v1/subscriptions', { query }), 400, 'subject');
      }
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
    'ten recoveries in a clock hour, then 429 that says when': (deployment) => tenInAnHour(deployment, 'recover'),
  }),
];
