import { expect, test } from 'vitest';
import { copiesOf, minConcurrency } from '../../../shared/contract/concurrency.ts';
import { generateUin, readPerson } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { lambdaPlatform } from '../lambda/platform.ts';
import { Bill } from './bill.ts';
import { reservesOf } from './callers.ts';
import { Compute } from './compute.ts';
import { Limits } from './limits.ts';

const hangingMs = 15_000;

/**
 * Returns the API functions that have to wait when all receivers hang and every lane runs at its maximum concurrency.
 * @param account the concurrency of the account
 * @param concurrency the concurrency that the deployment expects
 */
async function waitingIn(account: number, concurrency = account): Promise<string[]> {
  const clock = virtualClock(0);
  const limits = new Limits(() => clock.now());
  const compute = new Compute(clock, limits, new Bill(), account, reservesOf({ concurrency: String(concurrency) }));
  const platform = lambdaPlatform(clock, compute.hooks);
  const hang = () => clock.sleep(hangingMs);
  for (const one of workerLanes) {
    for (let instance = 0; instance < copiesOf(one, concurrency); instance += 1)
      void platform.invoke({ name: one.lane, timeoutMs: 60_000, handler: hang }, {});
  }
  const callers = [generateUin.operation, readPerson.operation, 'authorize'];
  for (const name of callers) void platform.invoke({ name, timeoutMs: 20_000, handler: () => clock.sleep(10) }, {});
  await clock.run({ until: hangingMs * 2 });
  return callers.filter((name) => (compute.usage.get(name)?.waited ?? 0) > 0);
}

test.each([minConcurrency, 50, 106, 250, 1000, 5000])(
  'hanging receivers do not delay API calls in an account with a concurrency of %i',
  async (account) => {
    expect(await waitingIn(account)).toEqual([]);
  },
);

test("hanging receivers delay all API calls except generateUin if the account's concurrency is lower than expected", async () => {
  expect(await waitingIn(500, 1000)).toEqual(['readPerson', 'authorize']);
});
