import { createHash } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { personIndexes } from '../../contract/tables.ts';
import type { PersonChange, PersonState } from '../../domain/imports/decide-change.ts';
import { keyNames } from '../../domain/persons/added-indexes.ts';
import { type Item, toItem } from '../dynamo.ts';
import { conditionOf, updateOf } from '../update.ts';
import { formerKey, notRetired, personFields, personKey, personRow, retiredKey } from './rows.ts';

export const markKey = (id: string): Item => ({
  id: { S: `change#${createHash('sha256').update(id).digest('hex')}` },
});

const indexKeyNames = keyNames(personIndexes);

const unchangedSince = ({ lastChange: last }: PersonState) =>
  last === undefined
    ? { condition: 'attribute_exists(#id) AND attribute_not_exists(#lastChange)' }
    : {
        condition: '#lastChange.#importId = :wasOf AND #lastChange.#line = :wasLine',
        values: { wasOf: last.importId, wasLine: last.line },
      };

export function writesOf(
  table: string,
  { uin, before, after, lastChange: last, keptUin, formerUins, isMinted, registered }: PersonChange,
  uinHash: string,
  expiresAt: number,
): TransactWriteItem[] {
  const Key = personKey(uin);
  if (after === undefined) {
    // The row of a merged person is needed for as long as the kept person is registered.
    const left = keptUin === undefined ? { formerUins: before.formerUins, expiresAt } : { keptUin };
    return [
      { Delete: { TableName: table, Key, ...conditionOf(unchangedSince(before)) } },
      { Put: { TableName: table, Item: retiredKey(uinHash) } },
      { Put: { TableName: table, Item: { ...formerKey(uin), ...toItem({ lastChange: last, ...left }) } } },
    ];
  }
  if (before.attributes === undefined) {
    const Item = { ...personRow(uin, after), ...toItem({ lastChange: last, ...registered }) };
    const put = { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' } };
    return isMinted ? [put, notRetired(table, uinHash)] : [put];
  }
  const fields = personFields(uin, after);
  const remove = indexKeyNames.filter((name) => !Object.hasOwn(fields, name));
  const update = updateOf({ set: { ...fields, lastChange: last, formerUins }, remove, ...unchangedSince(before) });
  return [{ Update: { TableName: table, Key, ...update } }];
}
