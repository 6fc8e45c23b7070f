import { type CapabilityName, capabilities } from '../contract/capabilities.ts';
import { variableOf } from '../contract/capability.ts';
import type { Granted, Store } from '../contract/define-store.ts';
import { type SettingName, type SettingValues, settings, settingVariable } from '../contract/settings.ts';
import { Fault } from '../model/faults.ts';

/** Variables by name; the process's own at run time. */
type Environment = Readonly<Record<string, string | undefined>>;

function required(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value === undefined) throw new Fault('missingVariable', { variable });
  return value;
}

/** The settings that a function declares, read by the schema that also checked them at deployment. */
export function readSettings<const Names extends SettingName>(
  names: readonly Names[],
  environment: Environment,
): SettingValues<Names> {
  const values = names.map((name) => {
    const variable = settingVariable(name);
    const parsed = settings[name].schema().safeParse(required(environment, variable));
    if (parsed.success) return [name, parsed.data];
    throw new Fault('unacceptableVariable', { variable });
  });
  return Object.fromEntries(values) as SettingValues<Names>;
}

/** Opens the store methods that `uses` grants, and no others. */
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
        if (open === undefined) throw new Fault('missingPermission', { store: store.name, capability: use });
        return open(store.client(), required(environment, variableOf(capabilities[use])));
      });
    return [store.name, Object.assign({}, ...methods)];
  });
  return Object.fromEntries(opened) as Granted<Stores, Uses>;
}

/**
 * Makes the first call of each AWS client that these stores have, by the first capability that has one; and one beside it for
 * each store that a request asks beside another. All are on their way together: one that came after another would share its
 * connection. What fails of them is nobody's concern: some are made to be refused.
 */
export async function primeStores(
  stores: readonly Store[],
  uses: readonly CapabilityName[],
  environment: Environment,
): Promise<void> {
  const primed = new Set<Store['client']>();
  const primes = stores.map(async ({ name, client, prime, isAskedBeside = false }) => {
    const use = uses.find((one) => one.startsWith(`${name}:`));
    if (prime === undefined || use === undefined || (primed.has(client) && !isAskedBeside)) return;
    if (!isAskedBeside) primed.add(client);
    await prime(client(), required(environment, variableOf(capabilities[use])), capabilities[use]);
  });
  // The first that is refused ends none of the others.
  await Promise.allSettled(primes);
}

/** Whether functions prepare themselves while they are initialised: everywhere but where nobody waits for them. */
export const isPriming = (): boolean => process.env.PRIMES !== 'off';

/** The one place that reads the process's variables: late, when a function handles its first event. */
export const processEnvironment = (): Environment => process.env;
