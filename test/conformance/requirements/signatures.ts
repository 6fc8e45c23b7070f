import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { verify } from '../../../shared/receiver/verify.ts';
import { expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { ensure, equal, requirementsOf } from '../requirement.ts';

async function verifyDelivery(deployment: Deployment, deliveryFormat: 'raw' | 'envelope'): Promise<void> {
  const { arrival } = await deployment.newDelivery('décès 100 %', { deliveryFormat });
  const { headers, body } = arrival;
  equal('digest', headers['content-digest'], `sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
  const shape = /(sig\d+)=(\(([^()]*)\);created=(\d+);keyid="([\w-]+)";alg="ed25519")/;
  const [, label, input = '', list = '', created, keyid] = shape.exec(String(headers['signature-input'])) ?? [];
  const covered = ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest'];
  equal('the covered fields', list, covered.map((name) => `"${name}"`).join(' '));
  ensure(Math.abs(Date.now() / 1000 - Number(created)) < 300, `created is ${created}`);
  const { keys } = expectSuccess(await deployment.call('GET', '/v1/.well-known/jwks.json', { token: null }));
  const key = keys.find(({ kid }: { kid: string }) => kid === keyid);
  ensure(key !== undefined, `jwks.json does not contain the key ${keyid}`);
  const [, signature = ''] = new RegExp(`${label}=:([^:]*):`).exec(String(headers.signature)) ?? [];
  const lines = covered.map((name) => `"${name}": ${headers[name]}\n`).join('');
  const content = Buffer.from(`${lines}"@signature-params": ${input}`);
  const isRight = verifySignature(
    null,
    content,
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64'),
  );
  ensure(isRight, 'the signature is invalid');
  const verified = verify(headers, body, { keys });
  ensure(verified?.scheme === 'rfc9421', 'the receiver module does not verify the signature');
  equal('the verified subject', verified.subject, 'décès 100 %');
  equal('the verified topic', verified.topicId, headers['topic-id']);
}

export const signatures = requirementsOf('client guide: signatures', {
  'each delivery is signed with a key from jwks.json, and its signature covers the headers and the body': async (
    deployment,
  ) => {
    for (const deliveryFormat of ['raw', 'envelope'] as const) await verifyDelivery(deployment, deliveryFormat);
  },
  'reading jwks.json requires no token, and the response can be cached for an hour': async ({ call }) => {
    const { headers } = await call('GET', '/v1/.well-known/jwks.json', { token: null });
    ensure(/max-age=3600/.test(headers.get('cache-control') ?? ''), `Cache-Control is ${headers.get('cache-control')}`);
  },
  'subject is percent-encoded UTF-8': async (deployment) => {
    const { arrival } = await deployment.newDelivery('décès 100 %');
    equal('decoded', decodeURIComponent(String(arrival.headers.subject)), 'décès 100 %');
  },
  'deliveries have the three Standard Webhooks headers': async (deployment) => {
    const { arrival, messageId } = await deployment.newDelivery();
    equal('webhook-id', arrival.headers['webhook-id'], messageId);
    for (const name of ['webhook-timestamp', 'webhook-signature']) {
      ensure(typeof arrival.headers[name] === 'string', `${name} is missing`);
    }
  },
});
