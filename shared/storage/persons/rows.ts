import { personIndexes } from '../../contract/tables.ts';
import { foldAttributes, indexKeys } from '../../domain/persons/plan-search.ts';
import type { Attributes } from '../../model/persons/attributes.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { storedPerson } from './row-schemas.ts';

export const personKey = (uin: string): Item => ({ id: { S: `person#${uin}` } });
export const mintKey = (hash: string): Item => ({ id: { S: `mint#${hash}` } });

/** Reads of a person's row the given attributes and the UIN, and nothing else. */
export const projectionOf = (names: readonly string[]) => ({
  ProjectionExpression: ['uin', ...names.map((_, index) => `attributes.#n${index}`)].join(', '),
  ...(names.length === 0
    ? {}
    : { ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) }),
});

/** What of a person such a read has fetched. */
export function readPersonRow(item: Item): Attributes {
  const { attributes, uin } = fromItem(storedPerson, { attributes: { M: {} }, ...item });
  return { ...attributes, uin };
}

/** The row of a person: the attributes as they are read, folded as they are searched, and the keys of the indexes. */
export const personRow = (uin: string, attributes: Attributes): Item => {
  const folded = foldAttributes(attributes);
  const keys = indexKeys(folded, Object.values(personIndexes));
  return { ...personKey(uin), ...toItem({ uin, attributes, folded, ...keys }) };
};
