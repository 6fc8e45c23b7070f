import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signingKey } from '../../../shared/delivery/signing/keyring.ts';
import { messageSignatureHeaders, signer, webhookHeaders } from '../../../shared/delivery/signing/signature.ts';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aConfirmation, aMessage, aNotification, aSubscription, aTopic } from '../../harness/builders.ts';
import { type Receiver, startReceiver } from '../../harness/receiver.ts';
import { aSender } from '../../harness/sender.ts';
import { isMessageSignatureValid, isSigned } from '../../harness/verify-delivery.ts';

const [first, second, foreign] = ['first', 'second', 'foreign'].map(signingKey) as [Key, Key, Key];
type Key = ReturnType<typeof signingKey>;
const published = (...keys: Key[]) => ({ keys: keys.map(({ publicKey }) => ({ ...publicKey })) });
const webhook = (key: Key) => new Webhook(`whsec_${key.hmacKey.export().toString('base64')}`);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** Signs a message with the given keys and delivers it. Returns the received request. */
async function deliverSigned(message: ReturnType<typeof aMessage>, keys = [first], hasHmac = false) {
  const channel = aSender({ sign: signer({ keys: async () => keys, hasHmac, now: Date.now }) });
  closing.push(channel.close);
  await channel.deliver(message, { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', address: receiver.url });
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing arrived');
  return received;
}

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const confirmation = () => composeMessage(aConfirmation(aSubscription()), '', settings);
const event = (subject?: string) =>
  composeMessage(aNotification(aTopic(), { subject }), Buffer.from('{"uin":"123"}').toString('base64'), settings);

describe('a delivery', () => {
  it.each([
    ['a notification', () => aMessage('{"source":"CR","uin":"123"}')],
    ['a notification with arbitrary bytes', () => aMessage(Uint8Array.from({ length: 256 }, (_, index) => index))],
    ['a confirmation', confirmation],
  ])('of %s has a valid signature', async (_what, compose) => {
    const message = compose();
    const { headers, body } = await deliverSigned(message);
    expect(headers['webhook-id']).toBe(message.messageId);
    expect(headers['message-id']).toBe(message.messageId);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5);
    expect(headers['webhook-signature']).toMatch(/^v1a,[\w+/]{86}==$/);
    expect(isSigned(headers, body, published(first))).toBe(true);
    expect(isSigned(headers, body, published(second))).toBe(false);
  });

  it('the `standardwebhooks` library can verify a delivery if the deployment adds HMAC signatures', async () => {
    const { headers, body } = await deliverSigned(aMessage('{"source":"CR"}'), [first], true);
    const given = headers as Record<string, string>;
    expect(webhook(first).verify(body.toString(), given)).toEqual({ source: 'CR' });
    expect(() => webhook(second).verify(body.toString(), given)).toThrow('No matching signature');
    expect(() => webhook(first).verify(`${body} `, given)).toThrow('No matching signature');
    expect(isSigned(headers, body, published(first))).toBe(true);
  });

  it('a delivery has signatures from both keys while both keys are valid', async () => {
    const { headers, body } = await deliverSigned(aMessage('{"source":"CR"}'), [second, first], true);
    for (const key of [first, second]) {
      expect(isSigned(headers, body, published(key))).toBe(true);
      expect(webhook(key).verify(body.toString(), headers as Record<string, string>)).toEqual({ source: 'CR' });
    }
    const versions = String(headers['webhook-signature']).split(' ');
    expect(versions.map((one) => one.split(',')[0])).toEqual(['v1a', 'v1', 'v1a', 'v1']);
  });
});

it('the signature of each attempt contains the time of that attempt in whole seconds', async () => {
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

describe('the message signature (RFC 9421) of a delivery', () => {
  it.each([
    ['an event with a subject', event('liveBirth')],
    ['an event with a non-ASCII subject', event('décès, à 100 % "sûr"; \\ 李')],
    ['an event without a subject', event()],
    ['a confirmation', confirmation()],
  ])('of %s is valid', async (_what, message) => {
    const { headers, body } = await deliverSigned(message);
    expect(await isMessageSignatureValid(headers, body, published(first))).toBe(true);
    expect(await isMessageSignatureValid(headers, body, published(foreign))).toBe(false);
  });

  it('a receiver can verify the message signature with the old key or the new key while both keys are valid', async () => {
    const { headers, body } = await deliverSigned(event('liveBirth'), [second, first]);
    for (const keys of [published(first), published(second), published(first, second)])
      expect(await isMessageSignatureValid(headers, body, keys)).toBe(true);
    expect(headers.signature).toMatch(/^sig1=:[\w+/]{86}==:, sig2=:[\w+/]{86}==:$/);
  });
});

it('`messageSignatureHeaders` follows RFC 9421, section 2.5', () => {
  const message = { 'message-type': 'Notification', 'message-id': 'm', 'topic-id': 't', subject: 's', other: 'o' };
  const headers = messageSignatureHeaders(message, 'sha-256=:d:', [first], 1_618_884_473);
  expect(headers).toMatchObject({
    'content-digest': 'sha-256=:d:',
    'signature-input':
      'sig1=("message-type" "message-id" "topic-id" "subject" "content-digest");created=1618884473;' +
      `keyid="${first.publicKey.kid}";alg="ed25519"`,
  });
});

it('deliveries of the same message within one second have the same signature', async () => {
  let now = 1_700_000_000_000;
  const sign = signer({ keys: async () => [first], hasHmac: false, now: () => now });
  const message = event('liveBirth');
  const headers = await sign(message);
  expect(await sign(message)).toBe(headers);
  now += 1000;
  const later = await sign(message);
  expect(later['content-digest']).toBe(headers['content-digest']);
  expect(later['signature-input']).toContain(';created=1700000001;');
  expect(later.signature).not.toBe(headers.signature);
});
