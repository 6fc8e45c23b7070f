import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { FauxqsServer } from 'fauxqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createBucketNotifier,
  type ObjectEvent,
} from '../../../../../infra/local/aws/emulators/bucket-notifications.ts';
import { startSqsAndS3 } from '../../../../../infra/local/aws/emulators/fauxqs.ts';
import { region } from '../../../../../infra/local/aws/template/identifiers.ts';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { bucketEvent, keysIn } from '../../../../../shared/domain/bucket-event.ts';
import { awsAccess } from '../../../../harness/aws-access.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { createAssembly } from '../../assembly.ts';

const Bucket = 'papers';
const reported: ObjectEvent[] = [];
let server: FauxqsServer;
let s3: S3Client;

beforeAll(async () => {
  server = await startSqsAndS3(undefined, (event) => reported.push(event));
  server.createBucket(Bucket);
  s3 = new S3Client({ ...awsAccess, endpoint: `http://127.0.0.1:${server.port}`, forcePathStyle: true });
});
afterAll(async () => {
  s3.destroy();
  await server.stop();
});

/** Waits until the emulator has reported the given number of events. Returns these events. */
const events = (count: number) =>
  eventually(() => {
    if (reported.length < count) throw new Error(`${reported.length} events`);
    return reported.map(({ key, eventName }) => [key, eventName]);
  });
const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from('paper') }));

test('the emulator reports puts, copies, complete uploads and deletes, but not reads, failures or aborted uploads', async () => {
  const [key, Key] = ['a/the deed + copy & Köln 100%.pdf', 'a/large'];
  const begin = () => s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  await put(key);
  await s3.send(new GetObjectCommand({ Bucket, Key: key }));
  await s3.send(new ListObjectsV2Command({ Bucket }));
  await s3.send(new PutObjectCommand({ Bucket: 'none', Key: 'a/one', Body: '1' })).catch(() => {});
  const { UploadId } = await begin();
  const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: (await begin()).UploadId }));
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'a/copy', CopySource: `${Bucket}/${encodeURIComponent(key)}` }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a/copy' }, { Key: key }] } }));
  expect(await events(6)).toEqual([
    [key, 'ObjectCreated:Put'],
    [Key, 'ObjectCreated:CompleteMultipartUpload'],
    ['a/copy', 'ObjectCreated:Copy'],
    ...[key, 'a/copy', key].map((deleted) => [deleted, 'ObjectRemoved:DeleteMarkerCreated']),
  ]);
});

test('a queue first receives test messages and then the events that the template configures', () => {
  const assembly = createAssembly();
  assembly.add('events', 'AWS::SQS::Queue');
  const Queue = { 'Fn::GetAtt': ['events', 'Arn'] };
  const configurationOf = (Event: string, ...Rules: object[]) => ({ Event, Queue, Filter: { S3Key: { Rules } } });
  const below = { Name: 'prefix', Value: 'in/' };
  assembly.add('papers', 'AWS::S3::Bucket', {
    NotificationConfiguration: {
      QueueConfigurations: [
        configurationOf('s3:ObjectCreated:*', below, { Name: 'suffix', Value: '.csv' }),
        configurationOf('s3:ObjectRemoved:Delete', below),
      ],
    },
  });
  const stack = openStack(readTemplate(assembly.write()), { baseUrl: 'http://local', sqsEndpoint: 'http://local' });
  const [queue, bucket] = (['AWS::SQS::Queue', 'AWS::S3::Bucket'] as const).map((type) =>
    stack.ofType(type).map(stack.nameOf).join(),
  );
  server.createQueue(String(queue), { region });
  const notify = createBucketNotifier(stack, server);
  const key = 'in/persons of Köln +.csv';
  for (const one of [key, 'in/persons.txt', 'out/persons.csv']) {
    notify({ bucket: String(bucket), key: one, eventName: 'ObjectCreated:Put' });
    notify({ bucket: String(bucket), key: one, eventName: 'ObjectRemoved:DeleteMarkerCreated' });
  }
  notify({ bucket: 'other', key, eventName: 'ObjectCreated:Put' });
  const bodies = server.inspectQueue(String(queue))?.messages.ready.map(({ body }) => JSON.parse(body)) ?? [];
  const read = bodies.map((body) => keysIn(bucketEvent.parse(body)));
  // S3 sends one test message for each of the two configurations.
  expect(read).toEqual([[], [], [key]]);
  expect(bodies[2].Records[0]).toMatchObject({
    eventSource: 'aws:s3',
    eventName: 'ObjectCreated:Put',
    s3: { object: { key: 'in/persons+of+K%C3%B6ln+%2B.csv', sequencer: expect.stringMatching(/^[0-9A-F]{16}$/) } },
  });
});
