import { createHash } from 'node:crypto';
import { foldText } from '../fold-text.ts';
import { type Attributes, type AttributeValue, kindOf } from './attributes.ts';
import { keyAttribute, type PersonIndex } from './person-index.ts';

/** Attribute values in the form in which searches compare them: text is folded; dates and gender are unchanged. */
export type FoldedAttributes = Readonly<Record<string, AttributeValue>>;

export type SearchPlan =
  | { readonly by: 'uin'; readonly uin: string; readonly rest: FoldedAttributes }
  | {
      readonly by: 'index';
      readonly index: string;
      readonly keys: Readonly<Record<string, string>>;
      readonly rest: FoldedAttributes;
    }
  | { readonly by: 'scan'; readonly rest: FoldedAttributes };

// The deployment's own attributes, which have no kind here, contain text.
const isText = (name: string): boolean => (kindOf(name, []) ?? 'text') === 'text';

export const foldAttributes = (attributes: Attributes): FoldedAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(name) ? foldText(value) : value,
    ]),
  );

// A sort key has at most 1,024 bytes and folding can lengthen a value, so values of more than 512 bytes are hashed.
const maxKeyBytes = 512;
const keyText = (value: AttributeValue): string => {
  const text = String(value);
  return Buffer.byteLength(text) <= maxKeyBytes ? text : `#${createHash('sha256').update(text).digest('hex')}`;
};

// Persons without the sort attribute have the sort key `-` in the index. A sort key that contains a value begins with
// an equals sign.
const sortText = (value: AttributeValue | undefined): string => (value === undefined ? '-' : `=${keyText(value)}`);

/** Returns the index keys of a person. An index omits persons who lack its partition attribute. */
export function indexKeys(folded: FoldedAttributes, indexes: Iterable<PersonIndex>): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const { partition, sort } of indexes) {
    const value = folded[partition];
    if (value === undefined || value === '') continue;
    keys[keyAttribute(partition, 'Key')] = keyText(value);
    keys[keyAttribute(sort, 'Sort')] = sortText(folded[sort]);
  }
  return keys;
}

const without = (folded: FoldedAttributes, names: readonly string[]): FoldedAttributes =>
  Object.fromEntries(Object.entries(folded).filter(([name]) => !names.includes(name)));

/**
 * Chooses how to find persons. If the UIN is given, the search uses the UIN. Otherwise, the search uses the first index
 * whose two attributes are both given or, if there is none, the first index whose partition attribute is given. If no
 * index can be used, the search scans the table. The remaining attributes filter the results.
 * @param indexes the indexes, most selective first
 */
export function planSearch(attributes: Attributes, indexes: Readonly<Record<string, PersonIndex>>): SearchPlan {
  const folded = foldAttributes(attributes);
  const { uin } = attributes;
  if (uin !== undefined) return { by: 'uin', uin: String(uin), rest: without(folded, ['uin']) };
  // Text that consists only of diacritics folds to an empty string, which is not a valid key.
  const has = (name: string): boolean => folded[name] !== undefined && folded[name] !== '';
  const candidates = Object.entries(indexes).filter(([, { partition }]) => has(partition));
  const [index, shape] = candidates.find(([, { sort }]) => has(sort)) ?? candidates[0] ?? [];
  if (index === undefined || shape === undefined) return { by: 'scan', rest: folded };
  const { partition, sort } = shape;
  const partitionKey = { [keyAttribute(partition, 'Key')]: keyText(folded[partition] ?? '') };
  if (!has(sort)) return { by: 'index', index, keys: partitionKey, rest: without(folded, [partition]) };
  const keys = { ...partitionKey, [keyAttribute(sort, 'Sort')]: sortText(folded[sort]) };
  return { by: 'index', index, keys, rest: without(folded, [partition, sort]) };
}
