import { Sha256Node as Theirs } from '@smithy/core/checksum';
import { expect, it } from 'vitest';
import { Sha256Node } from '../../infra/slim/sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('is SHA-256 (FIPS 180-4)', async () => {
  const hash = new Sha256Node();
  hash.update(bytes('a'));
  hash.update('bc');
  expect(hex(await hash.digest())).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it.each([
  ['a text', 'Jefe'],
  ['bytes', bytes('Jefe')],
  ['part of a buffer', Buffer.from('a Jefe').subarray(2)],
  ['a buffer', new Uint8Array(bytes('Jefe')).buffer],
])('is an HMAC (RFC 4231) by %s', async (_, secret) => {
  const hash = new Sha256Node(secret);
  hash.update('what do ya want for nothing?');
  expect(hex(await hash.digest())).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

it.each([undefined, '', 'Inés', new Uint8Array(65).fill(7), new ArrayBuffer(0)])(
  'computes what the SDK does, begun anew as well (%#)',
  async (secret) => {
    const [ours, theirs] = [new Sha256Node(secret), new Theirs(secret)];
    for (const hash of [ours, theirs]) {
      hash.update(bytes('what is left out'));
      hash.reset();
      hash.update(bytes('what is kept'));
    }
    expect(hex(await ours.digest())).toBe(hex(await theirs.digest()));
  },
);
