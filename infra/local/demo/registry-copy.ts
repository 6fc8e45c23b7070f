import type { Attributes } from '../../../shared/domain/persons/attributes.ts';
import type { Change, Occurrence } from './life/occurrence.ts';

export type RegistryCopy = Map<string, Attributes>;

const lookUp = (registry: RegistryCopy, uin: string): Attributes => {
  const attributes = registry.get(uin);
  if (attributes === undefined) throw new Error(`no person has the UIN ${uin}`);
  return attributes;
};

function register(registry: RegistryCopy, uin: string, attributes: Attributes): void {
  if (registry.has(uin)) throw new Error(`the UIN ${uin} is already registered`);
  registry.set(uin, attributes);
}

function apply(registry: RegistryCopy, change: Change): void {
  switch (change.change) {
    case 'register':
      register(registry, change.uin, change.attributes);
      return;
    case 'update': {
      const merged = Object.entries({ ...lookUp(registry, change.uin), ...change.attributes });
      registry.set(change.uin, Object.fromEntries(merged.filter(([, value]) => value !== null)) as Attributes);
      return;
    }
    case 'merge':
      lookUp(registry, change.keep);
      for (const uin of change.duplicates) registry.delete(lookUp(registry, uin) && uin);
      return;
    case 'remove':
      registry.delete(lookUp(registry, change.uin) && change.uin);
  }
}

/**
 * Applies an occurrence to the copy of the registry.
 * @throws Error for a change that the registry would reject
 */
export function applyTo(registry: RegistryCopy, { minted, changes }: Pick<Occurrence, 'minted' | 'changes'>): void {
  if (minted) register(registry, minted.uin, minted.attributes);
  for (const change of changes) apply(registry, change);
}
