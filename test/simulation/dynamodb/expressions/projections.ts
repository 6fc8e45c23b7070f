import type { Item } from '../../../../shared/storage/dynamo.ts';
import { type Bindings, bound, type Mentions, type Path, takePath, valueAt } from './paths.ts';
import { Tokens } from './tokens.ts';
import type { Value } from './values.ts';

export interface ParsedProjection extends Mentions {
  readonly paths: readonly Path[];
}

export function parseProjection(text: string): ParsedProjection {
  const tokens = new Tokens(text, 'ProjectionExpression');
  const mentions: Mentions = { names: new Set(), values: new Set() };
  const paths: Path[] = [];
  do paths.push(takePath(tokens, mentions));
  while (tokens.took(','));
  if (tokens.next.is !== 'end') throw tokens.unexpected();
  return { paths, ...mentions };
}

type Parts = Map<string | number, unknown>;

function place(into: Parts, path: Path, value: Value): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (rest.length === 0) into.set(first, value);
  else {
    const inner = (into.get(first) ?? new Map()) as Parts;
    into.set(first, inner);
    place(inner, rest, value);
  }
}

/**
 * Builds a map or list from its projected parts. Lists omit missing elements and keep the order of the remaining
 * elements.
 */
function nested(parts: Parts): Value {
  const entries = [...parts].map(([part, one]) => [part, one instanceof Map ? nested(one) : (one as Value)] as const);
  if (typeof entries[0]?.[0] !== 'number') return { M: Object.fromEntries(entries) };
  return { L: entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one) };
}

/** Returns only the projected attributes of an item. */
export function project(paths: readonly Path[], item: Item, bindings: Bindings): Item {
  const parts = new Map<string | number, unknown>();
  for (const path of paths) {
    const value = valueAt(item, path, bindings);
    if (value !== undefined) place(parts, bound(path, bindings), value);
  }
  return nested(parts).M ?? {};
}
