import { settingValue } from '../../../infra/settings/settings.ts';
import { reservedCopies } from '../../../shared/contract/concurrency.ts';
import { generateUin, readPerson } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';
import { latencyMs } from './costs.ts';
import type { World } from './world.ts';

/** The API operations that deliveries must not delay. */
export const calledOperations = [generateUin.operation, readPerson.operation] as const;

/** Returns the reserved concurrency of each API function, by function name. */
export function reservesOf(settings: GivenSettings): ReadonlyMap<string, number> {
  const copies = reservedCopies(settingValue(settingsOf(settings), 'concurrency'));
  const kept = endpoints.filter((endpoint) => 'hasReserve' in endpoint);
  return new Map(copies === undefined ? [] : kept.map(({ operation }) => [operation, copies]));
}

/** Calls each operation at a constant rate. Each call takes as long as a read and a write. */
export function callSteadily({ clock, platform }: World, perSecond: number, untilMs: number): void {
  if (perSecond === 0) return;
  const handler = () => clock.sleep(latencyMs.read + latencyMs.write);
  const callAgain = (): void => {
    for (const name of calledOperations) void platform.invoke({ name, timeoutMs: 20_000, handler }, {});
    if (clock.now() + 1000 / perSecond < untilMs) clock.after(1000 / perSecond, callAgain);
  };
  callAgain();
}
