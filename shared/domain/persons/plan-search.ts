import { createHash } from 'node:crypto';
import { foldText } from '../fold-text.ts';
import { type Attributes, type AttributeValue, attributeKinds } from './attributes.ts';
import { keyAttribute, type PersonIndex } from './person-index.ts';

/** Values as they are compared in a search: text folded, dates and gender as they are. */
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

const isExact = (name: string): boolean =>
  Object.hasOwn(attributeKinds, name) && attributeKinds[name as keyof typeof attributeKinds] !== 'text';

/** The compared form of each attribute. */
export const foldAttributes = (attributes: Attributes): FoldedAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && !isExact(name) ? foldText(value) : value,
    ]),
  );

// A sort key holds at most 1024 bytes, and folding may lengthen a text: a longer one stands by its hash.
const longestKeyBytes = 512;
const keyText = (value: AttributeValue): string => {
  const text = String(value);
  return Buffer.byteLength(text) <= longestKeyBytes ? text : `#${createHash('sha256').update(text).digest('hex')}`;
};

// A person without the sorted attribute must still stand in the index: `-` for none, `=` before a value.
const sortText = (value: AttributeValue | undefined): string => (value === undefined ? '-' : `=${keyText(value)}`);

/** The index keys of a person: a partition only where the person has the attribute. */
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
 * Chooses how to find persons by these attributes: by key when the UIN is given; else by the first index whose partition
 * and sort are both given; else by the first whose partition is; what the keys do not say becomes a filter. With no index
 * at all, a scan.
 * @param indexes from the most to the least selective
 */
export function planSearch(attributes: Attributes, indexes: Readonly<Record<string, PersonIndex>>): SearchPlan {
  const folded = foldAttributes(attributes);
  const { uin } = attributes;
  if (uin !== undefined) return { by: 'uin', uin: String(uin), rest: without(folded, ['uin']) };
  // A text of nothing but marks folds to nothing, which is no key.
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
