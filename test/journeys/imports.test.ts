import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { readPerson } from '../../shared/contract/endpoints/persons.ts';
import { eventually } from '../support/eventually.ts';
import { leavesNoFaults } from '../support/no-faults.ts';
import { openWorld, uniqueName } from '../support/world.ts';

const world = await openWorld();
leavesNoFaults(world);

test('a file of changes that is put into the bucket is applied, and the report beside it says what was refused', async () => {
  const { outputs, call } = world;
  const Bucket = outputs.resources.buckets.documents ?? '';
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const s3 = new S3Client({ endpoint: outputs.s3Endpoint, region: 'us-east-1', credentials });
  const [uin, Key] = [uniqueName('A'), `imports/${uniqueName('file')}.ndjson`];
  const lines = [
    { change: 'register', uin, attributes: { firstName: 'Ada', lastName: 'Byron' } },
    { change: 'update', uin, attributes: { lastName: 'King' } },
    { change: 'update', uin: uniqueName('nobody'), attributes: { lastName: 'King' } },
  ];
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: lines.map((line) => JSON.stringify(line)).join('\n') }));
  const report = await eventually(async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: `${Key}.report.json` }));
    return JSON.parse((await Body?.transformToString()) ?? '');
  });
  expect(report).toMatchObject({ lines: 3, applied: { register: 1, update: 1 }, repeated: 0, refused: 1 });
  expect(report.refusedLines).toEqual([{ line: 3, field: 'uin', reason: expect.any(String) }]);
  const { json } = await call(readPerson, { path: { uin }, query: { attributeNames: ['firstName', 'lastName'] } });
  expect(json).toEqual({ firstName: 'Ada', lastName: 'King' });
});
