import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { keyring, signingKey } from '../../../shared/delivery/signing/keyring.ts';
import { signer, webhookHeaders } from '../../../shared/delivery/signing/signature.ts';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import type { SecretVersions } from '../../../shared/storage/secrets/store.ts';
import { aConfirmation, aMessage, aSubscription, noon } from '../../harness/builders.ts';
import { type Receiver, startReceiver } from '../../harness/receiver.ts';
import { aSender } from '../../harness/sender.ts';
import { isSigned } from '../../harness/verify-delivery.ts';

const [first, second] = [signingKey('first'), signingKey('second')];
const published = (...keys: (typeof first)[]) => ({ keys: keys.map(({ publicKey }) => ({ ...publicKey })) });
const webhook = (key: typeof first) => new Webhook(`whsec_${key.hmacKey.export().toString('base64')}`);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** Delivers a message signed with these keys. Returns the received request. */
async function deliverSigned(message: ReturnType<typeof aMessage>, keys: (typeof first)[], hasHmac: boolean) {
  const channel = aSender({ sign: signer({ keys: async () => keys, hasHmac, now: Date.now }) });
  closing.push(channel.close);
  await channel.deliver(message, { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', address: receiver.url });
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing arrived');
  return received;
}

const confirmation = () => {
  const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
  return composeMessage(aConfirmation(aSubscription()), '', settings);
};

describe('a delivery', () => {
  it.each([
    ['a notification', () => aMessage('{"source":"CR","uin":"123"}')],
    ['a notification with arbitrary bytes', () => aMessage(Uint8Array.from({ length: 256 }, (_, index) => index))],
    ['a confirmation', confirmation],
  ])('of %s has a valid signature', async (_what, compose) => {
    const message = compose();
    const { headers, body } = await deliverSigned(message, [first], false);
    expect(headers['webhook-id']).toBe(message.messageId);
    expect(headers['message-id']).toBe(message.messageId);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5);
    expect(headers['webhook-signature']).toMatch(/^v1a,[\w+/]{86}==$/);
    expect(isSigned(headers, body, published(first))).toBe(true);
    expect(isSigned(headers, body, published(second))).toBe(false);
  });

  it.each([
    ['the body', {}, Buffer.from('{"uin":"124"}')],
    ['the id', { 'webhook-id': 'another' }, undefined],
    ['the time', { 'webhook-timestamp': '1' }, undefined],
  ])('fails verification if %s was changed', async (_what, change, changedBody) => {
    const { headers, body } = await deliverSigned(aMessage('{"uin":"123"}'), [first], false);
    expect(isSigned({ ...headers, ...change }, changedBody ?? body, published(first))).toBe(false);
  });

  it('can be verified with the `standardwebhooks` library if the deployment adds HMAC signatures', async () => {
    const { headers, body } = await deliverSigned(aMessage('{"source":"CR"}'), [first], true);
    const given = headers as Record<string, string>;
    expect(webhook(first).verify(body.toString(), given)).toEqual({ source: 'CR' });
    expect(() => webhook(second).verify(body.toString(), given)).toThrow('No matching signature');
    expect(() => webhook(first).verify(`${body} `, given)).toThrow('No matching signature');
    expect(isSigned(headers, body, published(first))).toBe(true);
  });

  it('has signatures from both keys while both keys are valid', async () => {
    const { headers, body } = await deliverSigned(aMessage('{"source":"CR"}'), [second, first], true);
    for (const key of [first, second]) {
      expect(isSigned(headers, body, published(key))).toBe(true);
      expect(webhook(key).verify(body.toString(), headers as Record<string, string>)).toEqual({ source: 'CR' });
    }
    const versions = String(headers['webhook-signature']).split(' ');
    expect(versions.map((one) => one.split(',')[0])).toEqual(['v1a', 'v1', 'v1a', 'v1']);
  });
});

it('receivers that know only the old or only the new key can verify deliveries until the rotation overlap ends', async () => {
  const day = 24 * 3600 * 1000;
  const old = { text: 'first', createdAt: noon - 100 * day };
  let versions: SecretVersions = { current: old, previous: undefined };
  let now = noon;
  const keys = keyring({ versions: async () => versions, overlapDays: 7, now: () => now, onError: () => {} });
  const sign = signer({ keys, hasHmac: false, now: () => now });
  const verifiedBy = async () => {
    const message = aMessage();
    const headers = await sign(message);
    return [first, second].map((key) => isSigned(headers, message.body, published(key)));
  };
  expect(await verifiedBy()).toEqual([true, false]);
  versions = { current: { text: 'second', createdAt: noon }, previous: old };
  expect(await verifiedBy()).toEqual([true, false]);
  now = noon + 5 * 60_000;
  // The first call does not wait for the new read of the secret.
  expect(await verifiedBy()).toEqual([true, false]);
  await setImmediate();
  expect(await verifiedBy()).toEqual([true, true]);
  now = noon + 7 * day - 1;
  expect(await verifiedBy()).toEqual([true, true]);
  now = noon + 7 * day;
  expect(await verifiedBy()).toEqual([false, true]);
});

it('each attempt is signed with the time of this attempt in whole seconds', async () => {
  let now = 1_700_000_000_999;
  const sign = signer({ keys: async () => [first], hasHmac: false, now: () => now });
  const message = aMessage();
  const headers = await sign(message);
  expect(headers['webhook-timestamp']).toBe('1700000000');
  now += 1;
  const later = await sign(message);
  expect(later['webhook-timestamp']).toBe('1700000001');
  expect(isSigned(later, message.body, published(first))).toBe(true);
  expect(later['webhook-signature']).not.toBe(headers['webhook-signature']);
});

it('the signed content consists of the ID, the timestamp and the body, separated by full stops', () => {
  const headers = webhookHeaders({ messageId: 'msg_1', body: Buffer.from('{}') }, [first], true, 1_614_265_330);
  const hmac = createHmac('sha256', first.hmacKey).update('msg_1.1614265330.{}').digest('base64');
  expect(headers['webhook-signature']?.split(' ')[1]).toBe(`v1,${hmac}`);
});
