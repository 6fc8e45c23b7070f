import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../infra/local/start.ts';
import { awsAccess } from '../../harness/aws-access.ts';
import { writeAssembly } from './example-assembly.ts';

let stack: LocalStack;
const lines: string[] = [];

beforeAll(async () => {
  stack = await startLocalStack({ assembly: writeAssembly(), onLog: (line) => lines.push(line) });
});
afterAll(() => stack?.stop());

test('a running stack gives each function only the grants of its role', async () => {
  await stack.invoke('api', { do: 'put', id: 'p1' });
  expect(await stack.invoke('api', { do: 'get', id: 'p1' })).toEqual({ id: { S: 'p1' } });
  const message = expect.stringContaining('dynamodb:DeleteItem');
  const deleting = stack.invoke('api', { do: 'delete', id: 'p1' });
  await expect(deleting).rejects.toMatchObject({ name: 'AccessDeniedException', message });
});

test('a running stack returns 403 for a missing object if the function lacks permission to list the bucket', async () => {
  const { documents: bucket = '' } = stack.outputs.resources.buckets;
  const put = (key: string) => fetch(`${stack.outputs.s3Endpoint}/${bucket}/${key}`, { method: 'PUT', body: 'text' });
  await Promise.all([put('open/a'), put('closed/a')]);
  await expect(stack.invoke('api', { bucket, key: 'open/a' })).resolves.toBe('text');
  for (const key of ['closed/a', 'open/missing']) {
    await expect(stack.invoke('api', { bucket, key })).rejects.toMatchObject({ name: 'AccessDenied' });
  }
});

test("a listener can see a function's AWS calls and respond in place of the service", async () => {
  const actions: string[] = [];
  const release = stack.onAwsCall(({ functionName, action }) => {
    actions.push(`${functionName} ${action}`);
    return { status: 400, body: '{"__type":"ProvisionedThroughputExceededException","message":"slow"}' };
  });
  await expect(stack.invoke('api', { do: 'get', id: 'p1' })).rejects.toThrow('slow');
  release();
  expect(actions).toEqual(['api dynamodb:GetItem']);
  await expect(stack.invoke('api', { do: 'get', id: 'p1' })).resolves.toBeDefined();
});

test('a call fails if its sandbox is killed, and the next call starts a new sandbox', async () => {
  const sleeping = stack.invoke('api', { pathParameters: { action: 'sleep' } });
  setTimeout(() => stack.kill('api'), 100);
  await expect(sleeping).rejects.toMatchObject({ name: 'Runtime.ExitError' });
  await expect(stack.invoke('api', { do: 'get', id: 'none' })).resolves.toBeNull();
});

test('a running stack retries only the failed messages of a batch and finally moves them to the dead-letter queue', async () => {
  const sqs = new SQSClient({ ...awsAccess, endpoint: stack.outputs.sqsEndpoint });
  const { jobs, dead } = stack.outputs.resources.queues;
  const kind = { DataType: 'String', StringValue: 'k' };
  // A cold start can take longer than the visibility timeout of one second.
  await stack.invoke('work', { Records: [] });
  for (const MessageBody of ['good', 'bad']) {
    await sqs.send(new SendMessageCommand({ QueueUrl: jobs, MessageBody, MessageAttributes: { kind } }));
  }
  const deadLetters = async () => {
    const request = { QueueUrl: dead, AttributeNames: ['ApproximateNumberOfMessages' as const] };
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
    return Attributes?.ApproximateNumberOfMessages;
  };
  await expect.poll(deadLetters).toBe('1');
  expect(lines.filter((line) => line === 'work: got good k')).toHaveLength(1);
  expect(lines.filter((line) => line === 'work: got bad k')).toHaveLength(2);
  sqs.destroy();
});
