import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { renditions } from '../../../shared/storage/documents/renditions.ts';
import { useSqs } from '../../harness/embedded.ts';
import { type AwsClient, letBetween } from '../../harness/interference.ts';
import { useOwnBucket } from '../../harness/own-bucket.ts';

const own = useOwnBucket(useSqs());
const parts = [Buffer.from('page 1'), Buffer.from('page 2')];

const answers = {
  PreconditionFailed: 412,
  ConditionalRequestConflict: 409,
  AccessDenied: 403,
};

/** Keeps a rendition while S3 answers the first tries to write its manifest so. */
async function kept(...names: (keyof typeof answers)[]) {
  const left = [...names];
  const leave = letBetween(own.s3 as unknown as AwsClient, () => ({
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

test('a rendition whose manifest meets another request for the same one is kept all the same', async () => {
  expect(await kept('ConditionalRequestConflict')).toEqual({ parts: parts.map((part) => new Uint8Array(part)) });
});

test('a rendition that somebody else has kept, or keeps at this moment, is no fault', async () => {
  expect(await kept('PreconditionFailed')).toBeUndefined();
  expect(await kept('ConditionalRequestConflict', 'PreconditionFailed')).toBeUndefined();
  expect(await kept('ConditionalRequestConflict', 'ConditionalRequestConflict')).toBeUndefined();
});

test('a rendition that cannot be written is one', async () => {
  await expect(kept('AccessDenied')).rejects.toThrow('AccessDenied');
  await expect(kept('ConditionalRequestConflict', 'AccessDenied')).rejects.toThrow('AccessDenied');
});
