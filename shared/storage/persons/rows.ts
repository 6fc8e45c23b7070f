import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { personIndexes } from '../../contract/tables.ts';
import { type Attributes, storedAttributes } from '../../domain/persons/attributes.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';
import { foldAttributes, indexKeys } from '../../domain/persons/plan-search.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';

export const storedPerson = z.object({ uin: z.string(), attributes: storedAttributes });
export const foldedRow = z.object({ folded: storedAttributes });
/** The record of a registration request that may be repeated. A repeated request returns the recorded UIN. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });
/** The row of a UIN: a person, a person who was merged into another (`keptUin`), or a removed person. */
export const formerRow = z.object({ keptUin: z.optional(z.string()), formerUins: z.optional(z.array(z.string())) });

/** Returns the check that fails a transaction if the UIN with this hash is retired. */
export const notRetired = (TableName: string, uinHash: string): TransactWriteItem => ({
  ConditionCheck: { TableName, Key: retiredKey(uinHash), ConditionExpression: 'attribute_not_exists(id)' },
});

export const personIdStart = 'person#';
export const personKey = (uin: string): Item => ({ id: { S: personIdStart + uin } });
/** Returns the key of the row that prevents reuse of a UIN. The row has no other attributes and does not expire. */
export const retiredKey = (uinHash: string): Item => ({ id: { S: `retired#${uinHash}` } });
/**
 * Returns the key of the row that replaces a merged or removed person. The row refers to the kept person, and is used
 * to detect repeated lines of an import.
 */
export const formerKey = (uin: string): Item => ({ id: { S: `former#${uin}` } });
/**
 * Returns the condition that a row is missing or has expired at `now` (epoch seconds). DynamoDB may delete expired rows
 * late.
 */
export const isFreeAt = (now: number) => ({
  ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
  ExpressionAttributeValues: { ':now': { N: String(now) } },
});
export const mintKey = (hash: string): Item => ({ id: { S: `mint#${hash}` } });

/** The persons table contains the state of its added indexes, so that a restored table has the matching state. */
export const indexStateKey: Item = { id: { S: 'indexes' } };

/** Builds a projection of the given attributes and the UIN. */
export const projectionOf = (names: readonly string[]) => ({
  ProjectionExpression: ['uin', ...names.map((_, index) => `attributes.#n${index}`)].join(', '),
  ...(names.length === 0
    ? {}
    : { ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) }),
});

export function readPersonRow(item: Item): Attributes {
  const { attributes, uin } = fromItem(storedPerson, { attributes: { M: {} }, ...item });
  return { ...attributes, uin };
}

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
