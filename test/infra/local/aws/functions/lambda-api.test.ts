import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../../../infra/local/start.ts';
import { awsAccess } from '../../../../harness/aws-access.ts';
import { createAssembly } from '../../assembly.ts';

const code = `export const handler = async (event) => {
  if (event.bad) throw new TypeError('wrong');
  console.log('seen', JSON.stringify(event));
  return { seen: event };
};`;

let stack: LocalStack;
let client: LambdaClient;
const lines: string[] = [];

beforeAll(async () => {
  const assembly = createAssembly();
  assembly.addFunction('sweep', code);
  assembly.addApi({});
  stack = await startLocalStack({ assembly: assembly.write(), onLog: (line) => lines.push(line) });
  client = new LambdaClient({ ...awsAccess, endpoint: stack.outputs.lambdaEndpoint, maxAttempts: 1 });
});
afterAll(async () => {
  client?.destroy();
  await stack?.stop();
});

async function invoke(input: Partial<InvokeCommandInput>) {
  const command = new InvokeCommand({ FunctionName: 'sweep', ...input });
  const { StatusCode, FunctionError, Payload } = await client.send(command);
  return { status: StatusCode, error: FunctionError, payload: Payload?.transformToString() };
}

test("Invoke accepts a function's name, ARN and construct id", async () => {
  const { sweep = '' } = stack.outputs.resources.functions;
  for (const FunctionName of ['sweep', sweep, `arn:aws:lambda:us-east-1:000000000000:function:${sweep}`]) {
    const answer = await invoke({ FunctionName, Payload: '{"a":1}' });
    expect(answer).toEqual({ status: 200, error: undefined, payload: '{"seen":{"a":1}}' });
  }
  expect((await invoke({})).payload).toBe('{"seen":{}}');
});

test("Invoke returns a function's failure in the response header and body", async () => {
  const { status, error, payload } = await invoke({ Payload: '{"bad":true}' });
  expect([status, error]).toEqual([200, 'Unhandled']);
  expect(JSON.parse(payload ?? '')).toMatchObject({ errorType: 'TypeError', errorMessage: 'wrong' });
});

test('Invoke returns immediately for the invocation type Event, and does not run the function for the type DryRun', async () => {
  expect(await invoke({ InvocationType: 'DryRun', Payload: '{"dry":1}' })).toMatchObject({ status: 204 });
  expect(await invoke({ InvocationType: 'Event', Payload: '{"later":1}' })).toMatchObject({ status: 202 });
  await expect.poll(() => lines).toContain('sweep: seen {"later":1}');
  expect(lines).not.toContain('sweep: seen {"dry":1}');
});

test.each([
  ['an unknown function', { FunctionName: 'other' }, 'ResourceNotFoundException'],
  ['invalid JSON', { Payload: '{' }, 'InvalidRequestContentException'],
])('Invoke rejects %s', async (_name, input, name) => {
  await expect(invoke(input)).rejects.toMatchObject({ name });
});

const path = '/2015-03-31/functions/sweep/invocations';
const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/lambda/aws4_request' };

test.each<[string, Record<string, string>]>([
  ['a request without a signature, which a web page could send', {}],
  ['a request from a page on another site', { ...signed, origin: 'https://evil.example' }],
])('Invoke rejects %s', async (_what, headers) => {
  const response = await fetch(stack.outputs.lambdaEndpoint + path, { method: 'POST', body: '{"page":1}', headers });
  expect(response.status).toBe(403);
  expect(lines.join()).not.toContain('page');
});
