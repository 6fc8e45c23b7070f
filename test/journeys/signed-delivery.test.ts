import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publishKeys } from '../../shared/contract/endpoints/access-endpoints.ts';
import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { isMessageSignatureValid, isSigned } from '../harness/verify-delivery.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, newSubscriber, publish } = world;
leavesNoErrors(world);

describe('public keys', () => {
  test('the public keys need no token and may be cached for an hour', async () => {
    const answer = await call(publishKeys, { token: null });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.json.keys).toHaveLength(1);
    for (const { kid, x, ...rest } of answer.json.keys) {
      expect(rest).toEqual({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
      const thumbprint = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
      expect(kid).toBe(thumbprint);
    }
  });

  test('the public keys are returned even if the request contains an invalid token', async () => {
    expect((await call(publishKeys, { token: 'garbage' })).status).toBe(200);
  });

  test('the public keys verify the signatures of the confirmation request and the event', async () => {
    const { json: keys } = await call(publishKeys, { token: null });
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    const messageId = await publish(topic, { source: 'CRVS', uin: '1' });
    await world.attemptsAt(messageId, subscription.uuid);
    expect(receiver.received.map(({ headers }) => headers['message-type'])).toEqual([
      'SubscriptionConfirmation',
      'Notification',
    ]);
    for (const { headers, body } of receiver.received) {
      expect(headers['webhook-id']).toBe(headers['message-id']);
      expect(isSigned(headers, body, keys)).toBe(true);
      expect(await isMessageSignatureValid(headers, body, keys)).toBe(true);
    }
  });
});

describe('subscribe', () => {
  test.each([
    'http://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'http://0x0a000001/',
    'http://[fe80::1]/',
  ])('subscribing a private address returns 400: %s', async (address) => {
    const topic = await newTopic();
    const answer = await call(subscribe, { query: { topic: topic.name, address } });
    expect(answer.status).toBe(400);
    expect(answer.error).toEqual({ code: 1002, message: expect.stringContaining('address') });
  });

  test('subscribing accepts a host name that cannot be resolved yet', async () => {
    const topic = await newTopic();
    const address = 'https://receiver.invalid/hook';
    expect((await call(subscribe, { query: { topic: topic.name, address } })).json).toMatchObject({ address });
  });
});
