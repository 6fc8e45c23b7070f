/** The addresses of a stack's resources, by their logical ids. */
export interface Addresses {
  readonly refs: ReadonlyMap<string, string>;
  readonly arns: ReadonlyMap<string, string>;
}

type Intrinsic = Readonly<Record<string, unknown>>;

/**
 * Replaces references in a part of a template by the addresses of deployed resources.
 * @throws Error if an address is not known
 */
export function resolve(value: unknown, addresses: Addresses): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, addresses));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Intrinsic;
  const known = (id: unknown, found: string | undefined): string => {
    if (found !== undefined) return found;
    throw new Error(`the address of ${String(id)} is not known: restore this resource by hand`);
  };
  if (Ref !== undefined) return known(Ref, addresses.refs.get(String(Ref)));
  if (Array.isArray(attribute) && attribute[1] === 'Arn')
    return known(attribute[0], addresses.arns.get(String(attribute[0])));
  if (Array.isArray(join)) {
    const [separator, parts] = join as [string, unknown[]];
    return parts.map((part) => resolve(part, addresses)).join(separator);
  }
  const entries = Object.entries(value).map(([name, one]) => [name, resolve(one, addresses)] as const);
  const unknown = entries.find(([name]) => name.startsWith('Fn::'));
  if (unknown) known(unknown[0], undefined);
  return Object.fromEntries(entries);
}
