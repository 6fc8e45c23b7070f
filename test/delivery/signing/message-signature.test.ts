import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signingKey } from '../../../shared/delivery/signing/keyring.ts';
import { messageSignatureHeaders, signer } from '../../../shared/delivery/signing/signature.ts';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aConfirmation, aNotification, aSubscription, aTopic } from '../../harness/builders.ts';
import { type Receiver, startReceiver } from '../../harness/receiver.ts';
import { aSender } from '../../harness/sender.ts';
import { isMessageSignatureValid } from '../../harness/verify-delivery.ts';

const [first, second, foreign] = ['first', 'second', 'foreign'].map(signingKey) as [Key, Key, Key];
type Key = ReturnType<typeof signingKey>;
const published = (...keys: Key[]) => ({ keys: keys.map(({ publicKey }) => ({ ...publicKey })) });
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const body = '{"source":"CR","uin":"123"}';
const event = (subject?: string) =>
  composeMessage(aNotification(aTopic(), { subject }), Buffer.from(body).toString('base64'), settings);
const confirmation = () => composeMessage(aConfirmation(aSubscription()), '', settings);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/**
 * Signs a message with these keys as if it were `secondsAhead` seconds later, and delivers the message. Returns the
 * received request.
 */
async function arrived(message: ReturnType<typeof event>, keys: Key[] = [first], secondsAhead = 0) {
  const now = () => Date.now() + secondsAhead * 1000;
  const channel = aSender({ sign: signer({ keys: async () => keys, hasHmac: false, now }) });
  closing.push(channel.close);
  await channel.deliver(message, { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', address: receiver.url });
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing arrived');
  return received;
}

describe('the signature of a delivery', () => {
  it.each([
    ['an event with a subject', event('liveBirth')],
    ['an event with a non-ASCII subject', event('décès, à 100 % "sûr"; \\ 李')],
    ['an event without a subject', event()],
    ['a confirmation', confirmation()],
  ])('of %s is valid', async (_what, message) => {
    const { headers, body } = await arrived(message);
    expect(await isMessageSignatureValid(headers, body, published(first))).toBe(true);
    expect(await isMessageSignatureValid(headers, body, published(foreign))).toBe(false);
  });

  it.each([
    ['message-type', 'SubscriptionConfirmation'],
    ['message-id', '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61'],
    ['topic-id', '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61'],
    ['subject', 'death'],
    ['subject', undefined],
    ['subject', ''],
    ['content-digest', 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'],
  ])('is invalid if the header %s is changed to %s', async (name, value) => {
    const { headers, body } = await arrived(event('liveBirth'));
    expect(await isMessageSignatureValid({ ...headers, [name]: value }, body, published(first))).toBe(false);
  });

  it('is invalid if the body is changed', async () => {
    const { headers, body } = await arrived(event('liveBirth'));
    expect(await isMessageSignatureValid(headers, Buffer.concat([body, Buffer.from(' ')]), published(first))).toBe(
      false,
    );
  });

  it.each([
    ['a confirmation', confirmation()],
    ['an event without a subject', event()],
  ])('is invalid if a subject is added to %s', async (_what, message) => {
    const { headers, body } = await arrived(message);
    expect(headers).not.toHaveProperty('subject');
    expect(await isMessageSignatureValid({ ...headers, subject: 'liveBirth' }, body, published(first))).toBe(false);
  });

  it.each([-310, 330])('is invalid if its timestamp differs from the current time by %i s', async (secondsAhead) => {
    const { headers, body } = await arrived(event('liveBirth'), [first], secondsAhead);
    expect(await isMessageSignatureValid(headers, body, published(first))).toBe(false);
  });

  it('is invalid if it names a different key ID', async () => {
    const { headers, body } = await arrived(event('liveBirth'));
    const input = String(headers['signature-input']).replace(first.publicKey.kid, foreign.publicKey.kid);
    const renamed = { ...headers, 'signature-input': input };
    for (const keys of [published(first), published(foreign), published(first, foreign)])
      expect(await isMessageSignatureValid(renamed, body, keys)).toBe(false);
  });

  it('can be verified with the old and the new key while both keys are valid', async () => {
    const { headers, body } = await arrived(event('liveBirth'), [second, first]);
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
