import { settingValue } from '../../../infra/settings/settings.ts';
import { reservedCopies } from '../../../shared/contract/concurrency.ts';
import { generateUin, readPerson } from '../../../shared/contract/endpoints/persons.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';
import { latencyMs } from './costs.ts';
import type { World } from './world.ts';

/** The operations that callers of a simulation ask for, who are not to notice what is delivered meanwhile. */
export const calledOperations = [generateUin.operation, readPerson.operation] as const;

/** What the deployment keeps for functions of the API, by their names. */
export function reservesOf(settings: GivenSettings): ReadonlyMap<string, number> {
  const copies = reservedCopies(settingValue(settingsOf(settings), 'concurrency'));
  const kept = endpoints.filter((endpoint) => 'hasReserve' in endpoint);
  return new Map(copies === undefined ? [] : kept.map(({ operation }) => [operation, copies]));
}

/** Calls each operation so many times a second until a time. The simulation has no persons: their function takes as long as a read and a write. */
export function callSteadily({ clock, platform }: World, perSecond: number, untilMs: number): void {
  if (perSecond === 0) return;
  const handler = () => clock.sleep(latencyMs.read + latencyMs.write);
  const callAgain = (): void => {
    for (const name of calledOperations) void platform.invoke({ name, timeoutMs: 20_000, handler }, {});
    if (clock.now() + 1000 / perSecond < untilMs) clock.after(1000 / perSecond, callAgain);
  };
  callAgain();
}
