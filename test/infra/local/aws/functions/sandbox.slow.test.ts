import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFunctionPool, type FunctionPool } from '../../../../../infra/local/aws/functions/function-pool.ts';
import { specOf } from '../../function-spec.ts';

const pools: FunctionPool[] = [];
const lines: string[] = [];

function run(code: string, { timeoutSeconds = 3, memorySize = 128, maxConcurrency = 4 } = {}): FunctionPool {
  const file = join(mkdtempSync(join(tmpdir(), 'function-')), 'index.mjs');
  writeFileSync(file, code);
  const spec = { ...specOf(file, { ONLY: 'this' }), memorySize, timeoutSeconds };
  const pool = createFunctionPool(spec, maxConcurrency, (line) => lines.push(line));
  pools.push(pool);
  return pool;
}

/**
 * Returns code for `meet(howMany)`. A call to this function waits for calls in other sandboxes, even if some of these
 * start slowly.
 */
function meetingPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'meeting-'));
  return {
    code: `
      const { mkdtempSync, readdirSync } = await import('node:fs');
      const meet = async (howMany) => {
        mkdtempSync('${folder}/');
        while (readdirSync('${folder}').length < howMany) await new Promise((go) => setTimeout(go, 10));
      };`,
    count: () => readdirSync(folder).length,
  };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
  lines.length = 0;
});

test("a function sees only its own environment variables and none of this process's", async () => {
  const pool = run('export const handler = async () => ({ names: Object.keys(process.env), only: process.env.ONLY });');
  expect(process.env.PATH).toBeDefined();
  const { payload } = await pool.invoke({});
  expect(JSON.parse(payload ?? '')).toEqual({ names: expect.not.arrayContaining(['PATH', 'HOME']), only: 'this' });
});

test('events and results are copied as JSON, and the context provides the remaining time', async () => {
  const pool = run(`export const handler = async (event, context) => ({
    event, date: new Date(0), nothing: undefined, name: context.functionName, left: context.getRemainingTimeInMillis() });`);
  const { payload } = await pool.invoke({ a: undefined, b: 1 });
  const { left, ...result } = JSON.parse(payload ?? '');
  expect(result).toEqual({ event: { b: 1 }, date: '1970-01-01T00:00:00.000Z', name: 'tried' });
  expect(left).toBeGreaterThan(2000);
});

test('a sandbox stays warm, and a second sandbox starts only if two calls run at the same time', async () => {
  const meeting = meetingPlace();
  const pool = run(`${meeting.code}
    let calls = 0;
    export const handler = async ({ begun }) => { calls += 1; await meet(begun); return calls; };`);
  // Each call waits until the given number of calls have started in total.
  const call = async (begun: number) => (await pool.invoke({ begun })).payload;
  expect(await call(1)).toBe('1');
  expect(await call(2)).toBe('2');
  expect((await Promise.all([call(4), call(4)])).toSorted()).toEqual(['1', '3']);
});

test('calls that wait for I/O may use more sandboxes than there are cores, but calls that compute get one sandbox per core', async () => {
  const wanted = availableParallelism() + 2;
  const meeting = meetingPlace();
  const once = async (work: string): Promise<number> => {
    const pool = run(
      `import { threadId } from 'node:worker_threads';
      ${meeting.code}
      export const handler = async () => { ${work}; return threadId; };`,
      { maxConcurrency: wanted, timeoutSeconds: 10 },
    );
    const outcomes = await Promise.all(Array.from({ length: wanted }, () => pool.invoke({})));
    return new Set(outcomes.map(({ payload }) => payload)).size;
  };
  expect(await once(`await meet(${wanted})`)).toBe(wanted);
  expect(await once('for (const end = Date.now() + 600; Date.now() < end; );')).toBe(wanted - 2);
});

test('the pool keeps a sandbox ready while all other sandboxes wait for I/O', async () => {
  const [loading, waiting] = [meetingPlace(), meetingPlace()];
  const pool = run(`
    ${loading.code}
    void meet(0);
    const loadedAt = Date.now();
    export const handler = async ({ begun }) => {
      ${waiting.code}
      await meet(begun);
      return loadedAt;
    };`);
  const cores = availableParallelism();
  // The calls wait until one more call has started.
  const held = Array.from({ length: cores }, () => pool.invoke({ begun: cores + 1 }));
  await expect.poll(() => loading.count()).toBe(cores + 1);
  const calledAt = Date.now();
  const { payload } = await pool.invoke({ begun: 0 });
  expect(Number(payload)).toBeLessThan(calledAt);
  await Promise.all(held);
});

test('when a function reaches its concurrency limit, further calls wait and run in order', async () => {
  const pool = run('let calls = 0; export const handler = async () => ++calls;', { maxConcurrency: 1 });
  const payloads = await Promise.all([pool.invoke({}), pool.invoke({}), pool.invoke({})]);
  expect(payloads.map(({ payload }) => payload)).toEqual(['1', '2', '3']);
});

test('a function that exceeds its time limit is stopped, even if it is in an endless loop', async () => {
  const pool = run('export const handler = async (event) => { while (event.loop); return 1; };', { timeoutSeconds: 1 });
  const { failure } = await pool.invoke({ loop: true });
  const errorMessage = expect.stringContaining('Task timed out after 1.00 seconds');
  expect(failure).toMatchObject({ errorType: 'Sandbox.Timedout', errorMessage });
  expect((await pool.invoke({})).payload).toBe('1');
});

test.each([
  ['process.exit(7)', 'Runtime.ExitError', 'exit status 7'],
  ["setTimeout(() => { throw new RangeError('late'); }); await new Promise(() => {})", 'RangeError', 'late'],
  ["throw new TypeError('wrong')", 'TypeError', 'wrong'],
  ['const all = []; for (;;) all.push(new Array(1e5).fill({}))', 'Runtime.ExitError', 'out of memory'],
  ["return 'x'.repeat(7e6)", 'Function.ResponseSizeTooLarge', ''],
])(
  'if a function runs %s, the call fails, the failure is logged, and the next call succeeds',
  async (code, errorType, message) => {
    const handler = `export const handler = async (event) => { if (event.bad) { ${code}; } return 'fine'; };`;
    const pool = run(handler, { memorySize: 32, timeoutSeconds: 10 });
    const errorMessage = expect.stringContaining(message);
    expect((await pool.invoke({ bad: true })).failure).toMatchObject({ errorType, errorMessage });
    expect(lines).toEqual([expect.stringContaining('Invoke Error')]);
    expect((await pool.invoke({})).payload).toBe('"fine"');
  },
);

test('a function that fails to load returns its own error message', async () => {
  const pool = run("throw new Error('no settings'); export const handler = async () => 1;");
  expect((await pool.invoke({})).failure).toMatchObject({ errorType: 'Error', errorMessage: 'no settings' });
});

test("a function's log lines arrive separately", async () => {
  const pool = run("export const handler = async () => { console.log('one'); console.error('two'); };");
  expect((await pool.invoke({})).payload).toBe('null');
  await expect.poll(() => lines.toSorted()).toEqual(['one', 'two']);
});
