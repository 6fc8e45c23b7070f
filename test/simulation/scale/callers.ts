import { settingValue } from '../../../infra/settings/settings.ts';
import { reservedCopies } from '../../../shared/contract/concurrency.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';

/** Returns the reserved concurrency of each API function, keyed by function name. */
export function reservesOf(settings: GivenSettings): ReadonlyMap<string, number> {
  const copies = reservedCopies(settingValue(settingsOf(settings), 'concurrency'));
  const kept = endpoints.filter((endpoint) => 'hasReserve' in endpoint);
  return new Map(copies === undefined ? [] : kept.map(({ operation }) => [operation, copies]));
}
