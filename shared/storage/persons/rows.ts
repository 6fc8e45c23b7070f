import { personIndexes } from '../../contract/tables.ts';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';
import { foldAttributes, indexKeys } from '../../domain/persons/plan-search.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { storedPerson } from './row-schemas.ts';

/** How the ids of persons' rows begin: others lie in their table, too. */
export const personIdStart = 'person#';
export const personKey = (uin: string): Item => ({ id: { S: personIdStart + uin } });
/** Of somebody who is gone: their UIN is not given to another, and lines may come again that were about them. */
export const goneKey = (uin: string): Item => ({ id: { S: `gone#${uin}` } });
/** Holds for a row that is not there, or has expired by `now` (epoch seconds): DynamoDB removes those late. */
export const isFreeAt = (now: number) => ({
  ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
  ExpressionAttributeValues: { ':now': { N: String(now) } },
});
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

/** What the row of a person says: the attributes as they are read, folded as they are searched, and the keys of the indexes. */
export const personFields = (
  uin: string,
  attributes: Attributes,
  indexes: PersonIndexes = personIndexes,
): Readonly<Record<string, unknown>> => {
  const folded = foldAttributes(attributes);
  return { uin, attributes, folded, ...indexKeys(folded, Object.values(indexes)) };
};

export const personRow = (uin: string, attributes: Attributes, indexes?: PersonIndexes): Item => ({
  ...personKey(uin),
  ...toItem(personFields(uin, attributes, indexes)),
});
