import { settingValue } from '../../../infra/settings/settings.ts';
import { reservedCopies } from '../../../shared/contract/concurrency.ts';
import { generateUin, readPerson } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';

/** The API operations that deliveries must not delay. */
export const calledOperations = [generateUin.operation, readPerson.operation] as const;

/** Returns the reserved concurrency of each API function, by function name. */
export function reservesOf(settings: GivenSettings): ReadonlyMap<string, number> {
  const copies = reservedCopies(settingValue(settingsOf(settings), 'concurrency'));
  const kept = endpoints.filter((endpoint) => 'hasReserve' in endpoint);
  return new Map(copies === undefined ? [] : kept.map(({ operation }) => [operation, copies]));
}
