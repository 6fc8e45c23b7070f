import { afterEach, describe, expect, it } from 'vitest';
import { readScaleOptions } from './options.ts';
import { runScale, type ScaleResult } from './run.ts';

const silent = { seeded: () => {}, passed: () => {} };
let result: ScaleResult | undefined;
afterEach(() => result?.world.close());
async function run(args: string): Promise<ScaleResult> {
  // Each simulation replaces the clock of the test process until the simulation is closed.
  result?.world.close();
  result = await runScale(readScaleOptions(args.split(' ')), silent);
  return result;
}

describe('a simulation', () => {
  it('a simulation delivers an event once to each healthy receiver and retries failed deliveries according to the policy', async () => {
    const { http, failing, waiting, deadLetters } = await run('--subscribers 400 --events 2 --minutes 12');
    expect(http.map(({ due, reached, lost, duplicates }) => [reached - due, lost, duplicates])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(failing.map(({ reached, lost }) => [reached, lost])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(waiting.get('retry')).toBe(2 * (failing[0]?.due ?? 0));
    expect([...deadLetters]).toEqual([]);
  });

  it('a simulation returns the same figures for the same seed, and different figures for another seed', async () => {
    const figures = async (seed: number) => {
      const { http, world } = await run(`--subscribers 200 --minutes 2 --seed ${seed}`);
      const calls = [...world.bill.calls];
      world.close();
      return [http, calls];
    };
    const first = await figures(1);
    expect(await figures(1)).toEqual(first);
    expect(await figures(2)).not.toEqual(first);
  });

  it('a simulation runs at most ten functions at once in an account with a concurrency of 10', async () => {
    const { http, world } = await run('--subscribers 2000 --concurrency 10 --minutes 12');
    expect(world.compute.peakConcurrency).toBe(10);
    expect(world.limits.inOrder().map(({ limit }) => limit)).toContain("the account's concurrency of 10");
    expect(http.map(({ due, reached }) => reached - due)).toEqual([0]);
  });

  it('a simulation accepts an event of the maximum size and reports why a larger event was rejected', async () => {
    const { http, publications } = await run('--subscribers 20 --body 256KB --minutes 1');
    expect([http[0]?.reached, publications[0]?.rejection]).toEqual([http[0]?.due, undefined]);
    const rejected = await run('--subscribers 20 --body 257KB --minutes 1');
    expect(rejected.publications[0]?.rejection).toMatch(/^413 /);
  });
});
