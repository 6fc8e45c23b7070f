import { expect, onTestFinished, test } from 'vitest';
import type { StackEvent } from '../../../../infra/local/console/events.ts';
import { startLocalStack } from '../../../../infra/local/start.ts';
import { createAssembly } from '../assembly.ts';

const code = `export const handler = async ({ pathParameters }) => {
  if (pathParameters.id === 'throw') throw new RangeError('no');
  console.log('at work');
  return { statusCode: 404, body: '{"code":1040,"message":"Ada"}' };
};`;

test('a stack emits an event for each request, with the path template and the error code, and for each failed call', async () => {
  const assembly = createAssembly();
  assembly.addFunction('read', code);
  assembly.permit('read');
  assembly.addApi({ 'GET /persons/{id}': { target: 'read' } });
  const events: StackEvent[] = [];
  const stack = await startLocalStack({ assembly: assembly.write(), onEvent: (event) => events.push(event) });
  onTestFinished(() => stack.stop());
  const requests = () => events.filter((event) => event.kind === 'request');
  const get = (path: string) => fetch(`${stack.outputs.baseUrl}/v1${path}`);

  const requestId = (await get('/persons/4711?name=Ada')).headers.get('x-amzn-requestid');
  const expected = { kind: 'request', method: 'GET', path: '/v1/persons/{id}', status: 404, requestId, code: 1040 };
  await expect.poll(requests).toEqual([{ ...expected, milliseconds: expect.any(Number) }]);
  expect(JSON.stringify(events)).not.toMatch(/4711|Ada/);
  expect(events).toContainEqual({ kind: 'log', functionName: 'read', line: 'at work' });

  await get('/Ada');
  await expect.poll(() => requests().at(1)).toMatchObject({ method: 'GET', path: undefined, status: 403 });
  await get('/persons/throw');
  await expect
    .poll(() => events.find(({ kind }) => kind === 'failure'))
    .toMatchObject({ functionName: 'read', failure: { errorType: 'RangeError', errorMessage: 'no' } });
});
