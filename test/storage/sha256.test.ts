import { Sha256Node } from '@smithy/core/checksum';
import { expect, it } from 'vitest';
import { Sha256 } from '../../shared/storage/sha256.ts';

const bytes = Buffer.from('the key: Inés');

it.each([
  ['no key', undefined],
  ['text', 'Inés'],
  ['a part of a buffer', bytes.subarray(9)],
  ['an ArrayBuffer', new Uint8Array(bytes).buffer],
])('hashes like the class of the SDK, also after a reset, when the key is %s', async (_, key) => {
  const digests = [new Sha256(key), new Sha256Node(key)].map((hash) => {
    hash.update(Buffer.from('what do ya '));
    hash.reset();
    hash.update(Buffer.from('want for nothing?'));
    return hash.digest();
  });
  const [ours, theirs] = await Promise.all(digests);
  expect(Buffer.from(ours ?? '')).toEqual(Buffer.from(theirs ?? 'none'));
});
