import { describe, expect, it, test } from 'vitest';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { verify } from '../../shared/receiver/receive.ts';
import { changed, deliveryCases, jwks, without } from '../harness/delivery-cases.ts';
import { confirmation, type Delivery, delivered, event } from '../harness/signed-message.ts';

/** Returns headers as web frameworks do, with a list of values for a repeated header. */
const headersOf = ({ headers }: Pick<Delivery, 'headers'>) =>
  Object.fromEntries(
    [...Map.groupBy(headers, ([name]) => name)].map(([name, all]) => {
      const values = all.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
const bodyOf = ({ body }: Delivery) => Buffer.from(body, 'base64');
const verified = (one: Delivery, secrets?: string[]) =>
  verify(headersOf(one), bodyOf(one), { keys: one.jwks.keys as Record<string, string>[], ...(secrets && { secrets }) });

const key = signingKey('ours');
const secret = `whsec_${key.hmacKey.export().toString('base64')}`;
const named = ({ headers }: Delivery, name: string) => headers.find(([given]) => given === name)?.[1];

/** Returns a delivery as if a proxy had removed the HTTP Message Signature and the headers of the registry. */
const webhookOnly = (one: Delivery): Delivery => ({
  ...one,
  headers: one.headers.filter(([name]) => name.startsWith('webhook-')),
});

test('verify accepts only the deliveries that the registry signed', async () => {
  const { good, bad } = await deliveryCases();
  const accepted = Object.entries({ ...good, ...bad }).filter(([, one]) => verified(one) !== undefined);
  expect(accepted.map(([name]) => name)).toEqual(Object.keys(good));
});

test('verify returns the type, ID, topic and decoded subject of a signed delivery', async () => {
  const death = await delivered(event('décès, 100 %'), [key]);
  expect(verified(death)).toEqual({
    scheme: 'rfc9421',
    created: Number(named(death, 'webhook-timestamp')),
    messageType: 'Notification',
    messageId: named(death, 'message-id'),
    topicId: named(death, 'topic-id'),
    subject: 'décès, 100 %',
  });
  expect(verified(await delivered(confirmation(), [key]))).toMatchObject({
    messageType: 'SubscriptionConfirmation',
    subject: undefined,
  });
});

test('verify accepts a body that is a string', async () => {
  const birth = await delivered(event('liveBirth'), [key]);
  const keys = birth.jwks as Parameters<typeof verify>[2];
  expect(verify(headersOf(birth), bodyOf(birth).toString(), keys)).toBeDefined();
  expect(verify(headersOf(birth), `${bodyOf(birth)} `, keys)).toBeUndefined();
});

test('verify rejects a delivery 301 seconds after its signature, but accepts it 300 seconds after its signature', async () => {
  const birth = await delivered(event('liveBirth'), [key]);
  const created = Number(named(birth, 'webhook-timestamp'));
  const keys = birth.jwks as Parameters<typeof verify>[2];
  const isAccepted = (one: Delivery, seconds: number) =>
    verify(headersOf(one), bodyOf(one), keys, (created + seconds) * 1000) !== undefined;
  for (const one of [birth, webhookOnly(birth)])
    expect([-301, -300, 300, 301].map((seconds) => isAccepted(one, seconds))).toEqual([false, true, true, false]);
});

test('verify checks at most four signatures of a delivery', async () => {
  const birth = await delivered(event('liveBirth'), [key]);
  const input = String(named(birth, 'signature-input'));
  const after = (count: number) =>
    verified(changed(birth, 'signature-input', `${input.replace('sig1', 'sig9')}, `.repeat(count) + input));
  expect([after(3) !== undefined, after(4)]).toEqual([true, undefined]);
});

test('verify ignores keys of other algorithms', async () => {
  const birth = await delivered(event('liveBirth'), [key]);
  for (const wrong of [{ kty: 'RSA' }, { crv: 'X25519' }]) {
    const keys = { keys: jwks(key).keys.map((one) => ({ ...one, ...wrong })) };
    expect(verify(headersOf(birth), bodyOf(birth), keys)).toBeUndefined();
    expect(verify(headersOf(webhookOnly(birth)), bodyOf(birth), keys)).toBeUndefined();
  }
});

describe('Standard Webhooks signatures', () => {
  it('verify returns only the ID and the time if a delivery has only Standard Webhooks signatures', async () => {
    const birth = await delivered(event('liveBirth'), [key]);
    const proof = { messageId: named(birth, 'message-id'), created: Number(named(birth, 'webhook-timestamp')) };
    expect(verified(webhookOnly(birth))).toEqual({ scheme: 'v1a', ...proof });
    const withoutKeys = { ...webhookOnly(birth), jwks: { keys: [] } };
    expect(verified(withoutKeys, [secret])).toEqual({ scheme: 'v1', ...proof });
    expect(verified(withoutKeys)).toBeUndefined();
  });

  it('verify ignores Standard Webhooks signatures if the HTTP Message Signature is wrong or incomplete', async () => {
    const birth = await delivered(event('liveBirth'), [key]);
    expect(verified(changed(birth, 'subject', 'death'), [secret])).toBeUndefined();
    for (const name of ['signature', 'signature-input'])
      expect(verified({ ...birth, headers: without(birth, name) }, [secret])).toBeUndefined();
  });

  it('verify rejects Standard Webhooks signatures if the ID, the time, the body or the signature was changed', async () => {
    const birth = webhookOnly(await delivered(event('liveBirth'), [key]));
    const signature = String(named(birth, 'webhook-signature'));
    const time = Number(named(birth, 'webhook-timestamp'));
    const forged = [
      changed(birth, 'webhook-id', 'another'),
      changed(birth, 'webhook-timestamp', String(time + 1)),
      changed(birth, 'webhook-timestamp', `${time}.0`),
      changed(birth, 'webhook-signature', ''),
      changed(birth, 'webhook-signature', signature.replaceAll(',', ',A')),
      changed(birth, 'webhook-signature', signature.replaceAll('v1', 'v2')),
      { ...birth, headers: without(birth, 'webhook-id') },
      { ...birth, headers: [...birth.headers, ['Webhook-Id', 'another'] as const] },
      { ...birth, body: Buffer.from('{}').toString('base64') },
    ];
    expect(forged.map((one) => verified(one, [secret]))).toEqual(forged.map(() => undefined));
    expect(verified({ ...birth, jwks: jwks(signingKey('foreign')) }, [`whsec_${'A'.repeat(44)}`])).toBeUndefined();
  });
});
