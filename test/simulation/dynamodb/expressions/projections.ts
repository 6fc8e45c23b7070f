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

type Parts = Map<string, unknown>;

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

/** Builds a map from its projected parts. */
const nested = (parts: Parts): Item =>
  Object.fromEntries([...parts].map(([part, one]) => [part, one instanceof Map ? { M: nested(one) } : (one as Value)]));

/** Returns a copy of an item that has only the projected attributes. */
export function project(paths: readonly Path[], item: Item, bindings: Bindings): Item {
  const parts: Parts = new Map();
  for (const path of paths) {
    const value = valueAt(item, path, bindings);
    if (value !== undefined) place(parts, bound(path, bindings), value);
  }
  return nested(parts);
}
