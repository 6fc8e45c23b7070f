import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StackEvent } from '../../../../infra/local/console/events.ts';
import { type LocalStack, startLocalStack } from '../../../../infra/local/start.ts';
import { createAssembly } from '../assembly.ts';

const code = `export const handler = async ({ pathParameters }) => {
  if (pathParameters.id === 'throw') throw new RangeError('no');
  console.log('at work');
  return { statusCode: 404, body: '{"code":1040,"message":"Ada"}' };
};`;

let stack: LocalStack;
const events: StackEvent[] = [];

beforeAll(async () => {
  const assembly = createAssembly();
  assembly.addFunction('read', code);
  assembly.permit('read');
  assembly.addApi({ 'GET /persons/{id}': { target: 'read' } });
  stack = await startLocalStack({ assembly: assembly.write(), onEvent: (event) => events.push(event) });
});
afterAll(() => stack?.stop());

const requests = () => events.filter((event) => event.kind === 'request');
const get = (path: string) => fetch(`${stack.outputs.baseUrl}/v1${path}`);

test('every request emits an event after its response, with its path template and error code', async () => {
  const reply = await get('/persons/4711?name=Ada');
  await expect.poll(requests).toEqual([
    {
      kind: 'request',
      method: 'GET',
      path: '/v1/persons/{id}',
      status: 404,
      milliseconds: expect.any(Number),
      requestId: reply.headers.get('x-amzn-requestid'),
      code: 1040,
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/4711|Ada/);
  expect(events).toContainEqual({ kind: 'log', functionName: 'read', line: 'at work' });

  await get('/Ada');
  await expect.poll(() => requests().at(1)).toMatchObject({ method: 'GET', path: undefined, status: 403 });
});

test('a failed call emits an event that contains its failure', async () => {
  await get('/persons/throw');
  await expect
    .poll(() => events.find(({ kind }) => kind === 'failure'))
    .toMatchObject({ functionName: 'read', failure: { errorType: 'RangeError', errorMessage: 'no' } });
});
