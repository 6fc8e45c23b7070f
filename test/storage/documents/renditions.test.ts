import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { renditions } from '../../../shared/storage/documents/renditions.ts';
import { useEmptyBucket } from '../../harness/bucket.ts';
import { useSqs } from '../../harness/embedded.ts';
import { type AwsClient, interfereWith } from '../../harness/interference.ts';

const own = useEmptyBucket(useSqs());
const parts = [Buffer.from('page 1'), Buffer.from('page 2')];

const answers = { PreconditionFailed: 412, ConditionalRequestConflict: 409, AccessDenied: 403 };

/**
 * Stores a rendition while S3 rejects the first writes of its manifest with the given errors. Returns the stored
 * rendition.
 */
async function kept(...names: (keyof typeof answers)[]) {
  const left = [...names];
  const leave = interfereWith(own.s3 as unknown as AwsClient, () => ({
    wire({ command, input }, go) {
      const name = command === 'PutObject' && input.IfNoneMatch === '*' ? left.shift() : undefined;
      if (name === undefined) return go();
      const $metadata = { httpStatusCode: answers[name] };
      return Promise.reject(new S3ServiceException({ name, $fault: 'client', message: name, $metadata }));
    },
  }));
  const store = renditions.permissions.write(own.s3, own.bucket);
  try {
    await store.put('address', parts, 'png');
  } finally {
    leave();
  }
  expect(left).toEqual([]);
  return store.get('address');
}

test('a rendition is stored even if S3 first rejects its manifest because of a concurrent write', async () => {
  expect(await kept('ConditionalRequestConflict')).toEqual({ parts: parts.map((part) => new Uint8Array(part)) });
});

test('storing a rendition succeeds if another run has stored or is storing the same rendition', async () => {
  expect(await kept('PreconditionFailed')).toBeUndefined();
  expect(await kept('ConditionalRequestConflict', 'PreconditionFailed')).toBeUndefined();
  expect(await kept('ConditionalRequestConflict', 'ConditionalRequestConflict')).toBeUndefined();
});

test('storing a rendition throws an error if S3 denies access', async () => {
  await expect(kept('AccessDenied')).rejects.toThrow('AccessDenied');
  await expect(kept('ConditionalRequestConflict', 'AccessDenied')).rejects.toThrow('AccessDenied');
});
