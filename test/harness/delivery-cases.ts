import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { confirmation as confirmationMessage, type Delivery, delivered, event, type Key } from './signed-message.ts';

const [ours, before, foreign] = ['ours', 'before', 'foreign'].map(signingKey) as [Key, Key, Key];
export const jwks = (...keys: Key[]) => ({ keys: keys.map(({ publicKey }) => publicKey) });

export const without = ({ headers }: Delivery, name: string) => headers.filter(([given]) => given !== name);
export const changed = (delivery: Delivery, name: string, value: string): Delivery => ({
  ...delivery,
  headers: [...without(delivery, name), [name, value]],
});

const titled = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Returns named deliveries that a receiver must accept (`good`) or reject (`bad`). */
export async function deliveryCases(): Promise<Record<'good' | 'bad', Record<string, Delivery>>> {
  const good: Record<string, Delivery> = {};
  const bad: Record<string, Delivery> = {};
  const birth = await delivered(event('liveBirth'), [ours]);
  const confirmation = await delivered(confirmationMessage(), [ours]);
  const plain = await delivered(event(undefined), [ours]);
  const rotated = await delivered(event('décès, 100 %'), [ours, before]);
  Object.assign(good, {
    birth,
    confirmation,
    rotated,
    plain,
    'names in title case': { ...birth, headers: birth.headers.map(([name, value]) => [titled(name), value]) },
  });
  for (const key of [ours, before])
    good[`rotated, with only the key ${key.publicKey.kid}`] = { ...rotated, jwks: jwks(key) };

  for (const name of ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest', 'signature']) {
    bad[`a changed ${name}`] = changed(birth, name, 'death');
    bad[`no ${name}`] = { ...birth, headers: without(birth, name) };
  }
  for (const name of ['subject', 'Subject', 'SUBJECT']) {
    bad[`a second subject, written ${name}`] = { ...birth, headers: [...birth.headers, [name, 'death']] };
    bad[`a second subject before it, written ${name}`] = { ...birth, headers: [[name, 'death'], ...birth.headers] };
    bad[`an added subject, written ${name}`] = { ...plain, headers: [...plain.headers, [name, 'death']] };
  }
  const listed = await delivered(event('birth, death'), [ours]);
  for (const name of ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest']) {
    const [, value = ''] = listed.headers.find(([given]) => given === name) ?? [];
    const lines = value.includes(', ') ? value.split(', ') : [value, value];
    bad[`two lines of ${name}`] = {
      ...listed,
      headers: [...without(listed, name), ...lines.map((line) => [name, line] as const)],
    };
  }
  bad['a confirmation with a subject'] = changed(confirmation, 'subject', 'liveBirth');
  bad['another body'] = { ...birth, body: Buffer.from('{}').toString('base64') };
  bad['an unknown key'] = { ...birth, jwks: jwks(foreign) };
  bad['no keys'] = { ...birth, jwks: jwks() };
  const input = birth.headers.find(([name]) => name === 'signature-input')?.[1] ?? '';
  const renamed = changed(birth, 'signature-input', input.replace(ours.publicKey.kid, foreign.publicKey.kid));
  bad['the name of another key'] = { ...renamed, jwks: jwks(ours, foreign) };
  bad['a long time'] = changed(birth, 'signature-input', input.replace(/created=\d+/, `created=${'1'.repeat(5000)}`));
  bad['another time'] = changed(birth, 'signature-input', input.replace(/created=\d+/, 'created=1618884473'));
  bad['no signature at all'] = { ...birth, headers: without(changed(birth, 'signature', ''), 'signature-input') };
  bad['a signature from an hour ago'] = await delivered(event('liveBirth'), [ours], -3600);
  bad['a signature with a creation time one hour in the future'] = await delivered(event('liveBirth'), [ours], 3600);
  return { good, bad };
}
