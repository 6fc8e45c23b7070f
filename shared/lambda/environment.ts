import { type CapabilityName, capabilities, variableOf } from '../contract/capabilities.ts';
import type { Granted, Store } from '../contract/define-store.ts';
import { type SettingName, type SettingValues, schemaOf, settings, settingVariable } from '../contract/settings.ts';
import { InternalError } from '../domain/internal-errors.ts';

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

function required(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value === undefined) throw new InternalError('missingVariable', { variable });
  return value;
}

/** Parses a function's declared settings with the schemas that checked the settings at deployment. */
export function readSettings<const Names extends SettingName>(
  names: readonly Names[],
  environment: Environment,
): SettingValues<Names> {
  const values = names.map((name) => {
    const variable = settingVariable(name);
    const parsed = schemaOf(settings[name]).safeParse(required(environment, variable));
    if (parsed.success) return [name, parsed.data];
    throw new InternalError('unacceptableVariable', { variable });
  });
  return Object.fromEntries(values) as SettingValues<Names>;
}

export function openStores<Stores extends readonly Store[], Uses extends CapabilityName>(
  stores: Stores,
  uses: readonly Uses[],
  environment: Environment,
): Granted<Stores, Uses> {
  const opened = stores.map((store) => {
    const methods = uses
      .filter((use) => use.startsWith(`${store.name}:`))
      .map((use) => {
        const open = store.permissions[use.slice(store.name.length + 1)];
        if (open === undefined) throw new InternalError('missingPermission', { store: store.name, capability: use });
        return open(store.client(), required(environment, variableOf(capabilities[use])));
      });
    return [store.name, Object.assign({}, ...methods)];
  });
  return Object.fromEntries(opened) as Granted<Stores, Uses>;
}

/**
 * Makes a warm-up call with each store's AWS client, using the store's first capability. A store with
 * `isUsedConcurrently` gets its own call even if another store has warmed up the client. All calls run at once, because
 * sequential calls would share a connection. Failures are ignored, because some of the calls are expected to be
 * rejected.
 */
export async function warmUpStores(
  stores: readonly Store[],
  uses: readonly CapabilityName[],
  environment: Environment,
): Promise<void> {
  const warmedUp = new Set<Store['client']>();
  const warmUps = stores.map(async ({ name, client, warmUp, isUsedConcurrently = false }) => {
    const use = uses.find((one) => one.startsWith(`${name}:`));
    if (warmUp === undefined || use === undefined || (warmedUp.has(client) && !isUsedConcurrently)) return;
    if (!isUsedConcurrently) warmedUp.add(client);
    await warmUp(client(), required(environment, variableOf(capabilities[use])), capabilities[use]);
  });
  // A failed warm-up call must not affect other calls.
  await Promise.allSettled(warmUps);
}

/** Returns whether AWS clients call custom endpoints, such as emulators, instead of AWS. */
export const hasConfiguredEndpoints = (): boolean =>
  Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

export const processEnvironment = (): Environment => process.env;
