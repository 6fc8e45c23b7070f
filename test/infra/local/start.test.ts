// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are for CloudFormation
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../infra/local/start.ts';
import { createAssembly, packageUrl } from './assembly.ts';

const api = `
import { GetObjectCommand, S3Client } from '${packageUrl('@aws-sdk/client-s3')}';
import { DynamoDBClient, GetItemCommand, PutItemCommand, DeleteItemCommand } from '${packageUrl('@aws-sdk/client-dynamodb')}';
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });
const TableName = process.env.TABLE;
const commands = {
  put: ({ id }) => new PutItemCommand({ TableName, Item: { id: { S: id } } }),
  get: ({ id }) => new GetItemCommand({ TableName, Key: { id: { S: id } } }),
  delete: ({ id }) => new DeleteItemCommand({ TableName, Key: { id: { S: id } } }),
};
export const handler = async (event) => {
  if (event.bucket) {
    const reply = await new S3Client().send(new GetObjectCommand({ Bucket: event.bucket, Key: event.key }));
    return reply.Body.transformToString();
  }
  if (event.do) {
    const { Item } = await dynamodb.send(commands[event.do](event));
    return Item ?? null;
  }
  const { action } = event.pathParameters ?? {};
  if (action === 'throw') throw new Error('no');
  if (action === 'malformed') return { hello: 1 };
  if (action === 'sleep') await new Promise((go) => setTimeout(go, 2000));
  if (action === 'bytes') return { statusCode: 200, body: 'AP8=', isBase64Encoded: true, headers: { 'Content-Type': 'image/png' } };
  return { statusCode: 200, multiValueHeaders: { 'X-Two': ['1', '2'] }, body: JSON.stringify(event) };
};`;

const authorize = `let calls = 0;
export const handler = async ({ authorizationToken, methodArn }) => {
  if (authorizationToken === 'unknown') throw new Error('Unauthorized');
  if (authorizationToken === 'broken') throw new Error('no keys');
  calls += 1;
  const Effect = authorizationToken === 'denied' ? 'Deny' : 'Allow';
  const Statement = [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn.split('/').slice(0, 3).join('/') + '/*' }];
  return { principalId: 'someone', policyDocument: { Version: '2012-10-17', Statement }, context: { calls } };
};`;

const stream = `
const wait = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const { action } = event.pathParameters;
  if (action === 'throw') throw new Error('no');
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': '3' };
  const body = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers });
  body.write('one');
  await wait(300);
  if (action === 'break') throw new Error('late');
  body.end(action === 'large' ? Buffer.alloc(20_000_000, 'x') : 'two');
});`;

const worker = `export const handler = async ({ Records }) => {
  for (const { body, messageAttributes } of Records) console.log('got', body, messageAttributes.kind?.stringValue);
  return { batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({ itemIdentifier: messageId })) };
};`;

function writeAssembly() {
  const assembly = createAssembly();
  assembly.add('persons', 'AWS::DynamoDB::Table', {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  });
  assembly.add('documents', 'AWS::S3::Bucket');
  assembly.add('dead', 'AWS::SQS::Queue');
  const deadLetterTargetArn = { 'Fn::GetAtt': ['dead', 'Arn'] };
  assembly.add('jobs', 'AWS::SQS::Queue', {
    VisibilityTimeout: 1,
    RedrivePolicy: { deadLetterTargetArn, maxReceiveCount: 2 },
  });
  const tableArn = { 'Fn::GetAtt': ['persons', 'Arn'] };
  assembly.addFunction('api', api, {
    properties: {
      Timeout: 10,
      MemorySize: 256,
      Environment: { Variables: { TABLE: { Ref: 'persons' }, OIDC_ISSUER: 'https://cloud.example' } },
    },
    statements: [
      { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: tableArn },
      { Effect: 'Allow', Action: 's3:GetObject', Resource: { 'Fn::Sub': '${documents.Arn}/open/*' } },
    ],
  });
  assembly.permit('api');
  assembly.addFunction('stream', stream, { properties: { MemorySize: 256 } });
  assembly.permit('stream');
  assembly.addFunction('unpermitted', api);
  assembly.addFunction('authorize', authorize);
  assembly.addFunction('work', worker, {
    statements: [{ Effect: 'Allow', Action: 'sqs:*', Resource: { 'Fn::GetAtt': ['jobs', 'Arn'] } }],
  });
  assembly.add('Mapping', 'AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': ['jobs', 'Arn'] },
    FunctionName: { Ref: 'work' },
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  assembly.add('authorizer', 'AWS::ApiGateway::Authorizer', {
    Type: 'TOKEN',
    AuthorizerUri: assembly.invocationUri('authorize'),
    IdentitySource: 'method.request.header.Authorization',
    AuthorizerResultTtlInSeconds: 60,
  });
  assembly.addApi({
    'GET /open/{action}': { target: 'api' },
    'GET /stream/{action}': { target: 'stream', isStreaming: true },
    'GET /stream/plain': { target: 'api', isStreaming: true },
    'GET /open/fixed': { target: 'unpermitted' },
    'GET /late/{action}': { target: 'api', integration: { TimeoutInMillis: 50 } },
    'ANY /guarded/{rest+}': { target: 'api', authorizer: 'authorizer' },
  });
  return assembly.write();
}

describe('a running stack', () => {
  let stack: LocalStack;
  const lines: string[] = [];

  beforeAll(async () => {
    stack = await startLocalStack({ assembly: writeAssembly(), onLog: (line) => lines.push(line) });
  });
  afterAll(() => stack?.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(stack.outputs.baseUrl + path, { method, headers });

  test('a request becomes the event that REST APIs send', async () => {
    const reply = await get('/open/%40a?b=1&b=2%203', { 'X-Case': 'kept' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-two')).toBe('1, 2');
    expect(await reply.json()).toMatchObject({
      resource: '/open/{action}',
      path: '/open/%40a',
      httpMethod: 'GET',
      headers: { 'X-Case': 'kept' },
      pathParameters: { action: '%40a' },
      queryStringParameters: { b: '2 3' },
      multiValueQueryStringParameters: { b: ['1', '2 3'] },
      body: null,
      isBase64Encoded: false,
      requestContext: { stage: 'prod', resourcePath: '/open/{action}' },
    });
  });

  test.each([
    ['an unknown path', '/nowhere', 403, 'Missing Authentication Token'],
    ['a function that throws', '/open/throw', 502, 'Internal server error'],
    ['a malformed answer', '/open/malformed', 502, 'Internal server error'],
    ['a function that answers too late', '/late/sleep', 504, 'Endpoint request timed out'],
    ['a function that the API may not call', '/open/fixed', 500, 'Internal server error'],
  ])('%s', async (_name, path, status, message) => {
    const reply = await get(path);
    expect([reply.status, await reply.json()]).toEqual([status, { message }]);
  });

  test('a method that the path does not have is an unknown route', async () => {
    expect((await get('/open/x', {}, 'DELETE')).status).toBe(403);
  });

  test('bytes are bytes for those who accept them', async () => {
    const bytes = await (await get('/open/bytes', { accept: 'image/png' })).bytes();
    expect([...bytes]).toEqual([0, 255]);
    expect(await (await get('/open/bytes', { accept: 'text/html' })).text()).toBe('AP8=');
  });

  test('a streamed answer arrives as it is written, head first', async () => {
    const reply = await get('/stream/two');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([201, 'text/plain']);
    expect([reply.headers.get('content-length'), reply.headers.get('x-amzn-remapped-content-length')]).toEqual([
      null,
      '3',
    ]);
    const chunks: string[] = [];
    for await (const chunk of reply.body ?? []) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(['one', 'two']);
  });

  test('a streamed answer may be larger than any other', async () => {
    expect((await (await get('/stream/large')).bytes()).length).toBe(20_000_003);
  });

  test('a stream that breaks is cut off; before its head it is an error of the gateway', async () => {
    const broken = await get('/stream/break');
    expect(broken.status).toBe(201);
    await expect(broken.text()).rejects.toThrow('terminated');
    for (const action of ['throw', 'plain']) expect((await get(`/stream/${action}`)).status).toBe(502);
    expect((await get('/stream/two')).status).toBe(201);
  });

  test('a client that leaves in the middle holds up nobody', async () => {
    const leaving = new AbortController();
    const reply = await fetch(`${stack.outputs.baseUrl}/stream/large`, { signal: leaving.signal });
    leaving.abort();
    await expect(reply.text()).rejects.toThrow('aborted');
    expect((await get('/stream/two')).status).toBe(201);
  });

  test.each([
    ['no token', {}, 401],
    ['a token that nobody knows', { authorization: 'unknown' }, 401],
    ['an authorizer that breaks', { authorization: 'broken' }, 500],
    ['a denied token', { authorization: 'denied' }, 403],
  ])('%s', async (_name, headers, status) => {
    expect((await get('/guarded/x', headers as Record<string, string>)).status).toBe(status);
  });

  test('the answer of the authorizer is kept for the token, its context is handed on as text', async () => {
    const authorizerOf = async (path: string, authorization: string) =>
      ((await (await get(path, { authorization })).json()) as { requestContext: { authorizer: { calls: string } } })
        .requestContext.authorizer;
    const first = await authorizerOf('/guarded/a', 'good');
    expect(first).toMatchObject({ principalId: 'someone', calls: expect.any(String) });
    expect(await authorizerOf('/guarded/b/c', 'good')).toEqual(first);
    expect((await authorizerOf('/guarded/a', 'better')).calls).not.toBe(first.calls);
  });

  test('a function has the grants of its role and no others', async () => {
    await stack.invoke('api', { do: 'put', id: 'p1' });
    expect(await stack.invoke('api', { do: 'get', id: 'p1' })).toEqual({ id: { S: 'p1' } });
    await expect(stack.invoke('api', { do: 'delete', id: 'p1' })).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('dynamodb:DeleteItem'),
    });
  });

  test('an object is read by its grant; without one for the listing a missing object is refused too', async () => {
    const { documents: bucket = '' } = stack.outputs.resources.buckets;
    const put = (key: string) => fetch(`${stack.outputs.s3Endpoint}/${bucket}/${key}`, { method: 'PUT', body: 'text' });
    await Promise.all([put('open/a'), put('closed/a')]);
    await expect(stack.invoke('api', { bucket, key: 'open/a' })).resolves.toBe('text');
    for (const key of ['closed/a', 'open/missing']) {
      await expect(stack.invoke('api', { bucket, key })).rejects.toMatchObject({ name: 'AccessDenied' });
    }
  });

  test('a listener sees the calls of a function and can answer in place of the service', async () => {
    const actions: string[] = [];
    const release = stack.onAwsCall(({ functionName, action }) => {
      actions.push(`${functionName} ${action}`);
      return {
        status: 400,
        body: JSON.stringify({ __type: 'ProvisionedThroughputExceededException', message: 'slow' }),
      };
    });
    await expect(stack.invoke('api', { do: 'get', id: 'p1' })).rejects.toThrow('slow');
    release();
    expect(actions).toEqual(['api dynamodb:GetItem']);
    await expect(stack.invoke('api', { do: 'get', id: 'p1' })).resolves.toBeDefined();
  });

  test('a sandbox that is killed fails what it was doing; the next call finds a new one', async () => {
    const sleeping = stack.invoke('api', { pathParameters: { action: 'sleep' } });
    setTimeout(() => stack.kill('api'), 100);
    await expect(sleeping).rejects.toMatchObject({ name: 'Runtime.ExitError' });
    await expect(stack.invoke('api', { do: 'get', id: 'none' })).resolves.toBeNull();
  });

  test('of a batch only what failed comes back, and at last goes to the dead letters', async () => {
    const sqs = new SQSClient({
      endpoint: stack.outputs.sqsEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const { jobs, dead } = stack.outputs.resources.queues;
    const kind = { DataType: 'String', StringValue: 'k' };
    for (const MessageBody of ['good', 'bad']) {
      await sqs.send(new SendMessageCommand({ QueueUrl: jobs, MessageBody, MessageAttributes: { kind } }));
    }
    const deadLetters = async () => {
      const request = { QueueUrl: dead, AttributeNames: ['ApproximateNumberOfMessages' as const] };
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
      return Attributes?.ApproximateNumberOfMessages;
    };
    await expect.poll(deadLetters, { timeout: 4000 }).toBe('1');
    expect(lines.filter((line) => line === 'work: got good k')).toHaveLength(1);
    expect(lines.filter((line) => line === 'work: got bad k')).toHaveLength(2);
    sqs.destroy();
  });

  test('the issuer grants what is asked for; tests sign what they like', async () => {
    const reply = await fetch(stack.outputs.tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('joe:secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'a b' }),
    });
    const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { access_token } = (await reply.json()) as { access_token: string };
    const expected = { iss: stack.outputs.issuer, aud: 'identity-registry', client_id: 'joe', scope: 'a b' };
    expect(claimsOf(access_token)).toMatchObject(expected);
    expect(claimsOf(await stack.issueToken({ aud: 'other', exp: 1 }))).toMatchObject({ aud: 'other', exp: 1 });
  });
});

test('with a data directory a restart finds what was stored, and a token stays valid', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const assembly = writeAssembly();
  const first = await startLocalStack({ assembly, dataDir, onLog: () => {} });
  await first.invoke('api', { do: 'put', id: 'kept' });
  await first.stop();
  const second = await startLocalStack({ assembly, dataDir, onLog: () => {} });
  const found = await second.invoke('api', { do: 'get', id: 'kept' });
  await second.stop();
  expect(found).toEqual({ id: { S: 'kept' } });
  expect(second.outputs.issuer).toBe(first.outputs.issuer);
});

test('a kept table that no longer fits the template is refused by name', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const startWithKey = async (AttributeName: string) => {
    const assembly = createAssembly();
    assembly.add('persons', 'AWS::DynamoDB::Table', {
      TableName: 'persons',
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    });
    assembly.addApi({});
    const stack = await startLocalStack({ assembly: assembly.write(), dataDir });
    await stack.stop();
  };
  await startWithKey('id');
  await startWithKey('id');
  await expect(startWithKey('name')).rejects.toThrow('the kept table persons has other keys');
});

test('stopping closes every door', async () => {
  const stack = await startLocalStack({ assembly: writeAssembly(), onLog: () => {} });
  await stack.stop();
  const { baseUrl, tokenUrl, inboxUrl, dynamodbEndpoint, sqsEndpoint } = stack.outputs;
  for (const url of [baseUrl, tokenUrl, inboxUrl, dynamodbEndpoint, sqsEndpoint]) {
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  }
});

test('a port in use is an error that names it, and what had started is stopped', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await expect(startLocalStack({ assembly: writeAssembly(), port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  });
  taken.close();
});

test('a mapping whose function may not read its queue does not start', async () => {
  const assembly = createAssembly();
  assembly.add('jobs', 'AWS::SQS::Queue');
  assembly.addFunction('work', worker);
  assembly.add('Mapping', 'AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': ['jobs', 'Arn'] },
    FunctionName: { Ref: 'work' },
  });
  await expect(startLocalStack({ assembly: assembly.write() })).rejects.toThrow('work lacks sqs:ReceiveMessage');
});
