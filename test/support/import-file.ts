import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { eventually } from './eventually.ts';
import { uniqueName, type World } from './world.ts';

/** Puts changes into the bucket of a running stack as a file of lines, and answers its report when that is there. */
export async function importChanges({ outputs }: World, changes: readonly object[]) {
  const Bucket = outputs.resources.buckets.documents ?? '';
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const s3 = new S3Client({ endpoint: outputs.s3Endpoint, region: 'us-east-1', credentials });
  const Key = `imports/${uniqueName('file')}.ndjson`;
  await s3.send(
    new PutObjectCommand({ Bucket, Key, Body: changes.map((change) => JSON.stringify(change)).join('\n') }),
  );
  return eventually(async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: `${Key}.report.json` }));
    return JSON.parse((await Body?.transformToString()) ?? '');
  });
}
