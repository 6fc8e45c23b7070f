import { expect, test } from 'vitest';
import { copiesOf, leastConcurrency } from '../../../shared/contract/concurrency.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { lambdaPlatform } from '../lambda/platform.ts';
import { Bill } from './bill.ts';
import { calledOperations, reservesOf } from './callers.ts';
import { Compute } from './compute.ts';
import { Limits } from './limits.ts';

const hangingMs = 15_000;

/**
 * Which callers find no place while every receiver hangs: each lane has as many copies at work as it may have, and each of
 * them waits.
 * @param account functions that it runs at once
 * @param concurrency what the deployment believes that to be
 */
async function refusedIn(account: number, concurrency = account): Promise<string[]> {
  const clock = virtualClock(0);
  const limits = new Limits(() => clock.now());
  const compute = new Compute(clock, limits, new Bill(), account, reservesOf({ concurrency: String(concurrency) }));
  const platform = lambdaPlatform(clock, compute.hooks);
  const hang = () => clock.sleep(hangingMs);
  for (const { lane } of workerLanes) {
    for (let copy = 0; copy < copiesOf(lane, concurrency); copy += 1)
      void platform.invoke({ name: lane, timeoutMs: 60_000, handler: hang }, {});
  }
  const callers = [...calledOperations, 'authorize'];
  for (const name of callers) void platform.invoke({ name, timeoutMs: 20_000, handler: () => clock.sleep(10) }, {});
  await clock.run({ until: hangingMs * 2 });
  return callers.filter((name) => (compute.usage.get(name)?.waited ?? 0) > 0);
}

test.each([leastConcurrency, 50, 106, 250, 1000, 5000])(
  'receivers that hang leave mints and reads alive in an account of %i',
  async (account) => {
    expect(await refusedIn(account)).toEqual([]);
  },
);

test('where the account holds less than the deployment believes, minting has its reserve still', async () => {
  expect(await refusedIn(500, 1000)).toEqual(['readPerson', 'authorize']);
});
