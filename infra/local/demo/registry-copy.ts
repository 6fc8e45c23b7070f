import type { Attributes } from '../../../shared/domain/persons/attributes.ts';
import type { Change, Occurrence } from './life/occurrence.ts';

/** What a registry holds of people, by UIN. */
export type RegistryCopy = Map<string, Attributes>;

const known = (registry: RegistryCopy, uin: string): Attributes => {
  const attributes = registry.get(uin);
  if (attributes === undefined) throw new Error(`${uin} is nobody`);
  return attributes;
};

function register(registry: RegistryCopy, uin: string, attributes: Attributes): void {
  if (registry.has(uin)) throw new Error(`${uin} is somebody already`);
  registry.set(uin, attributes);
}

function take(registry: RegistryCopy, change: Change): void {
  switch (change.change) {
    case 'register':
      register(registry, change.uin, change.attributes);
      return;
    case 'update': {
      const all = Object.entries({ ...known(registry, change.uin), ...change.attributes });
      registry.set(change.uin, Object.fromEntries(all.filter(([, value]) => value !== null)) as Attributes);
      return;
    }
    case 'merge':
      known(registry, change.keep);
      for (const uin of change.duplicates) registry.delete(known(registry, uin) && uin);
      return;
    case 'remove':
      registry.delete(known(registry, change.uin) && change.uin);
  }
}

/**
 * Makes of a copy what an occurrence makes of the registry.
 * @throws Error for a change that no registry would take
 */
export function applyTo(registry: RegistryCopy, { minted, changes }: Pick<Occurrence, 'minted' | 'changes'>): void {
  if (minted) register(registry, minted.uin, minted.attributes);
  for (const change of changes) take(registry, change);
}
