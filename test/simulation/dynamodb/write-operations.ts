import {
  ConditionalCheckFailedException,
  type DeleteItemCommandInput,
  type DeleteItemCommandOutput,
  type PutItemCommandInput,
  type PutItemCommandOutput,
  type ReturnValue,
  TransactionConflictException,
  type UpdateItemCommandInput,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { invalid } from './expressions/validation-error.ts';
import { rowName } from './memory-table.ts';
import { $metadata, type Tables } from './tables.ts';
import { type Plan, planWrite, type WriteKind, type WriteRequest } from './writes.ts';

function returned(wanted: ReturnValue | undefined, { change: { before, after } }: Plan): Item | undefined {
  if (wanted === 'ALL_OLD') return before;
  return wanted === 'ALL_NEW' ? after : undefined;
}

function write(tables: Tables, kind: WriteKind, request: WriteRequest, wanted: ReturnValue | undefined) {
  const isUpdate = kind === 'Update';
  if (!isUpdate && wanted !== undefined && wanted !== 'NONE' && wanted !== 'ALL_OLD')
    throw invalid('Return values set to invalid value');
  const table = tables.table(request.TableName);
  const plan = planWrite(kind, table, request);
  if (tables.held.has(`${table.name}\0${rowName(plan.change.key)}`))
    throw new TransactionConflictException({ $metadata, message: 'Transaction is ongoing for the item' });
  if (tables.options.capacity !== undefined) tables.take(table.charges(plan.change, 1));
  if (plan.hasFailed)
    throw new ConditionalCheckFailedException({
      $metadata,
      message: 'The conditional request failed',
      ...(plan.existing && { Item: plan.existing }),
    });
  tables.commit(plan.change);
  const Attributes = returned(wanted, plan);
  return { $metadata, ...(Attributes && { Attributes }) };
}

export const putItem = (tables: Tables, input: PutItemCommandInput): PutItemCommandOutput =>
  write(tables, 'Put', input, input.ReturnValues);

export const updateItem = (tables: Tables, input: UpdateItemCommandInput): UpdateItemCommandOutput =>
  write(tables, 'Update', input, input.ReturnValues);

export const deleteItem = (tables: Tables, input: DeleteItemCommandInput): DeleteItemCommandOutput =>
  write(tables, 'Delete', input, input.ReturnValues);
