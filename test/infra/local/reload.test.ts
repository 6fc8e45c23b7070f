import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFunctionPool, type FunctionPool } from '../../../infra/local/aws/functions/function-pool.ts';
import { specOf } from './function-spec.ts';

const pools: FunctionPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

/**
 * Returns a function's specification. The function waits for the number of milliseconds in the event and then returns
 * its version and its call count.
 */
function returning(version: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'function-')), 'index.mjs');
  writeFileSync(
    file,
    `let calls = 0;
    export const handler = async ({ ms = 0 }) => {
      calls += 1;
      await new Promise((go) => setTimeout(go, ms));
      return '${version} ' + calls;
    };`,
  );
  return specOf(file);
}

function openPool(maxConcurrency: number) {
  const pool = createFunctionPool(returning('old'), maxConcurrency, () => {});
  pools.push(pool);
  const call = async (ms = 0) => JSON.parse((await pool.invoke({ ms })).payload ?? 'null');
  return { pool, call };
}

test('after a reload, calls run the new code, and only the first call starts a sandbox', async () => {
  const { pool, call } = openPool(2);
  expect(await call()).toBe('old 1');
  await pool.replaceCode(returning('new'));
  expect(await call()).toBe('new 1');
  expect(await call()).toBe('new 2');
});

test('a call that is running finishes with the old code, and no later call uses its sandbox', async () => {
  const { pool, call } = openPool(1);
  expect(await call()).toBe('old 1');
  const inFlight = call(1000);
  await pool.replaceCode(returning('new'));
  expect(await call()).toBe('new 1');
  expect(await inFlight).toBe('old 2');
  expect(await call()).toBe('new 2');
});

test('stopping the functions also ends calls that are still running old code', async () => {
  const { pool, call } = openPool(1);
  expect(await call()).toBe('old 1');
  const inFlight = pool.invoke({ ms: 9000 });
  await pool.replaceCode(returning('new'));
  await pool.stop();
  expect((await inFlight).failure).toMatchObject({ errorType: 'Runtime.ExitError' });
});
