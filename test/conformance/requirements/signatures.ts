import { createHash, createPublicKey, verify } from 'node:crypto';
import { succeeded } from '../client.ts';
import { holds, same, sentencesOf } from '../sentence.ts';
import { deliveredTo } from '../sentences/delivered-to.ts';

export const signatures = sentencesOf('our page: signatures', {
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
    holds(/max-age=3600/.test(headers.get('cache-control') ?? ''), `Cache-Control is ${headers.get('cache-control')}`);
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
});
