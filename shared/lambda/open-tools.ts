import type { Declared } from '../contract/capabilities.ts';
import type { Granted, Store } from '../contract/define-store.ts';
import type { SettingValues } from '../contract/settings.ts';
import { ambient } from './ambient.ts';
import { openStores, processEnvironment, readSettings, warmUpStores } from './environment.ts';
import { warmUpWith } from './warm-up.ts';

/**
 * The tools of a handler: the clock and random values, the settings, and the store methods that the handler declares.
 */
export type ToolsOf<D extends Declared, Stores extends readonly Store[]> = Granted<Stores, D['uses'][number]> &
  typeof ambient & { readonly settings: SettingValues<D['reads'][number]> };

/** Returns a function that opens a handler's tools on first use and caches them. */
export function lazyTools<D extends Declared, Stores extends readonly Store[]>(
  { uses, reads }: D,
  stores: Stores,
): () => ToolsOf<D, Stores> {
  let tools: ToolsOf<D, Stores> | undefined;
  const open = () => {
    if (tools === undefined) {
      const environment = processEnvironment();
      const opened = openStores(stores, uses, environment);
      tools = { ...opened, ...ambient, settings: readSettings(reads, environment) } as ToolsOf<D, Stores>;
    }
    return tools;
  };
  warmUpWith(open);
  warmUpWith(() => warmUpStores(stores, uses, processEnvironment()));
  return open;
}
