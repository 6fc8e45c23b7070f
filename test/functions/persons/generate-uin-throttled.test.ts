import { beforeEach, expect, it, vi } from 'vitest';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { useHarness } from '../../harness/harness.ts';
import type { Interference } from '../../harness/interference.ts';
import { apiEvent, context } from '../../harness/lambda-events.ts';

const harness = useHarness({ tables: ['persons'] });
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const throttled = () => Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

const mint = (headers: Record<string, string>, leftMs: () => number) => {
  const timed = { ...context, getRemainingTimeInMillis: leftMs };
  return generateUin(apiEvent({ body: '{"firstName":"Ada"}', headers }), timed);
};
const keyed = { 'idempotency-key': 'birth-1' };

it.each([
  ['with a key', keyed],
  ['without a key', {}],
])('generateUin %s returns 500 before the time limit if DynamoDB throttles every request', async (_what, headers) => {
  let leftMs = 20_000;
  const wire: Interference['wire'] = () => {
    leftMs -= 700;
    return Promise.reject(throttled());
  };
  harness.interfere({ wire });
  const { statusCode, body } = await mint(headers, () => leftMs);
  expect(statusCode).toBe(500);
  expect(JSON.parse(body)).toMatchObject({ code: 1500 });
  expect(leftMs).toBeGreaterThan(0);
  expect(harness.lines.error).toHaveLength(1);
});

it('generateUin returns 500 before the Lambda timeout if the store does not respond', async () => {
  harness.interfere({ wire: () => new Promise(() => {}) });
  const { statusCode } = await mint({}, () => 300);
  expect(statusCode).toBe(500);
  expect(harness.lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', error: 'outOfTime', operation: 'generateUin' },
  ]);
});
