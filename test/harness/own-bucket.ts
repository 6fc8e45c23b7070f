import { beforeEach } from 'vitest';
import { openBucket } from './bucket.ts';
import type { useSqs } from './embedded.ts';

/** An empty bucket, another one for each test. */
export function useOwnBucket(sqs: ReturnType<typeof useSqs>): ReturnType<typeof openBucket> {
  const own = {} as ReturnType<typeof openBucket>;
  let made = 0;
  beforeEach(() => {
    const bucket = `own-${++made}`;
    sqs.server.createBucket(bucket);
    Object.assign(own, openBucket(sqs.endpoint, bucket));
    return () => own.s3.destroy();
  });
  return own;
}
