import type { Item } from '../../../../shared/storage/dynamo.ts';
import type { Tokens } from './tokens.ts';
import { invalid } from './validation-error.ts';
import type { Value } from './values.ts';

/** The names and values that a request assigns to placeholders such as `#name` and `:value`. */
export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

/** The placeholders that an expression uses. */
export interface Mentions {
  readonly names: Set<string>;
  readonly values: Set<string>;
}

/** The path of an attribute or of a part of a map: attribute names, or placeholders such as `#name`. */
export type Path = readonly string[];

/** Parses a path such as `a` or `#a.b.#c`. */
export function takePath(tokens: Tokens, { names }: Mentions): Path {
  const path: string[] = [];
  do {
    const { is, text } = tokens.next;
    if (is !== 'word' && is !== 'name') throw tokens.unexpected();
    if (is === 'name') names.add(text);
    tokens.take();
    path.push(text);
  } while (tokens.took('.'));
  return path;
}

export const nameOf = (part: string, { names }: Bindings): string =>
  part.charCodeAt(0) === 35 ? (names[part] as string) : part;

export function valueAt(item: Item | undefined, path: Path, bindings: Bindings): Value | undefined {
  let value: Value | undefined = item?.[nameOf(path[0] as string, bindings)];
  for (const part of path.slice(1)) value = value?.M?.[nameOf(part, bindings)];
  return value;
}

export const bound = (path: Path, bindings: Bindings): Path => path.map((part) => nameOf(part, bindings));

/**
 * Checks that expressions use all given placeholders and no others.
 * @throws ValidationException
 */
export function checkMentions(parameter: string, mentions: readonly Mentions[], bindings: Bindings): void {
  for (const [what, sign] of [
    ['names', 'name'],
    ['values', 'value'],
  ] as const) {
    const given = bindings[what];
    for (const mentioned of mentions)
      for (const one of mentioned[what])
        if (given[one] === undefined)
          throw invalid(
            `Invalid ${parameter}: An expression attribute ${sign} used in expression is not defined; attribute ${sign}: ${one}`,
          );
    for (const one in given)
      if (!mentions.some((mentioned) => mentioned[what].has(one)))
        throw invalid(
          `Value provided in ExpressionAttribute${sign === 'name' ? 'Names' : 'Values'} unused in expressions: keys: {${one}}`,
        );
  }
}
