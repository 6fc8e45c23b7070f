import { filterAsync } from '../filter-async.ts';

/** A setting of a table or bucket that a restored copy initially lacks. */
export interface StoreSetting {
  readonly what: string;
  isSet(): Promise<boolean>;
  set(): Promise<unknown>;
}

export const missingSettings = (settings: readonly StoreSetting[]): Promise<StoreSetting[]> =>
  filterAsync(settings, async (one) => !(await one.isSet()));

export async function setMissing(settings: readonly StoreSetting[]): Promise<void> {
  for (const setting of await missingSettings(settings)) await setting.set();
}
