import {
  type CancellationReason,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionInProgressException,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { invalid } from './expressions/validation-error.ts';
import { itemSize } from './item-size.ts';
import { rowName } from './memory-table.ts';
import { $metadata, type Tables } from './tables.ts';
import { locate, type Plan, planWrite, type WriteKind, type WriteRequest } from './writes.ts';

const maxItems = 100;
const maxBytes = 4 * 1024 * 1024;
// If a request with the same token follows within 10 minutes, DynamoDB treats it as a repetition of the same
// transaction.
const tokenMs = 600_000;

const cancelled = (CancellationReasons: CancellationReason[]): TransactionCanceledException => {
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TransactionCanceledException({ $metadata, message, CancellationReasons });
};

const none: CancellationReason = { Code: 'None' };
const conflict: CancellationReason = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };

interface Action {
  readonly kind: WriteKind;
  readonly request: WriteRequest;
  /** A string that identifies a row in any table. */
  readonly row: string;
}

function checkCount(items: readonly unknown[]): void {
  if (items.length > maxItems || items.length === 0)
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${items.length === 0 ? 'greater than or equal to 1' : 'less than or equal to 100'}`,
    );
}

function actionsOf(tables: Tables, items: NonNullable<TransactWriteItemsCommandInput['TransactItems']>): Action[] {
  checkCount(items);
  const actions = items.map((item) => {
    const [[kind, request] = []] = Object.entries(item).filter(([, one]) => one !== undefined) as [
      WriteKind,
      WriteRequest,
    ][];
    if (kind === undefined || request === undefined)
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    const table = tables.table(request.TableName);
    return { kind, request, row: `${table.name}\0${rowName(locate(kind, table, request).key)}` };
  });
  if (new Set(actions.map(({ row }) => row)).size < actions.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  return actions;
}

function reasonOf({ hasFailed, existing }: Plan): CancellationReason {
  if (!hasFailed) return none;
  const Message = 'The conditional request failed';
  return { Code: 'ConditionalCheckFailed', Message, ...(existing && { Item: existing }) };
}

/**
 * Plans all writes of a transaction.
 * @throws TransactionCanceledException if a write is impossible
 */
function planAll(tables: Tables, actions: readonly Action[]): Plan[] {
  const plans: (Plan | undefined)[] = [];
  const reasons = actions.map(({ kind, request }): CancellationReason => {
    try {
      const plan = planWrite(kind, tables.table(request.TableName), request);
      plans.push(plan);
      return reasonOf(plan);
    } catch (error) {
      if ((error as Error).name !== 'ValidationException') throw error;
      return { Code: 'ValidationError', Message: (error as Error).message };
    }
  });
  if (reasons.some((reason) => reason !== none)) throw cancelled(reasons);
  return plans as Plan[];
}

interface Token {
  readonly items: object;
  readonly until: number;
  isDone: boolean;
}

/** The transactions of a simulated DynamoDB, with their client request tokens. */
export class Transactions {
  readonly tables: Tables;
  readonly #tokens = new Map<string, Token>();

  constructor(tables: Tables) {
    this.tables = tables;
  }

  async write(input: TransactWriteItemsCommandInput): Promise<TransactWriteItemsCommandOutput> {
    const { TransactItems = [], ClientRequestToken: token } = input;
    if (token === undefined) return this.#write(TransactItems);
    const now = this.tables.options.now();
    const existing = this.#tokens.get(token);
    if (existing !== undefined && existing.until > now) {
      if (existing.items !== TransactItems && JSON.stringify(existing.items) !== JSON.stringify(TransactItems))
        throw new IdempotentParameterMismatchException({
          $metadata,
          message: 'The token was used with another request',
        });
      if (existing.isDone) return { $metadata };
      throw new TransactionInProgressException({ $metadata, message: 'The transaction is in progress' });
    }
    const entry = { items: TransactItems, until: now + tokenMs, isDone: false };
    this.#forget(now);
    this.#tokens.set(token, entry);
    try {
      const done = await this.#write(TransactItems);
      entry.isDone = true;
      return done;
    } catch (error) {
      this.#tokens.delete(token);
      throw error;
    }
  }

  #forget(now: number): void {
    for (const [token, { until }] of this.#tokens) {
      if (until > now) return;
      this.#tokens.delete(token);
    }
  }

  async #write(
    items: NonNullable<TransactWriteItemsCommandInput['TransactItems']>,
  ): Promise<TransactWriteItemsCommandOutput> {
    const { tables } = this;
    const actions = actionsOf(tables, items);
    const reasons = actions.map(({ row }) => (tables.held.has(row) ? conflict : none));
    if (reasons.includes(conflict)) throw cancelled(reasons);
    const { holdTransaction } = tables.options;
    if (holdTransaction !== undefined) {
      for (const { row } of actions) tables.held.add(row);
      try {
        await holdTransaction();
      } finally {
        for (const { row } of actions) tables.held.delete(row);
      }
    }
    const plans = planAll(tables, actions);
    const bytes = plans.reduce((sum, { change: { after } }) => sum + (after === undefined ? 0 : itemSize(after)), 0);
    if (bytes > maxBytes) throw invalid('Transaction size exceeds 4 MB');
    const charges = tables.options.capacity ? plans.map(({ change }) => change.table.charges(change, 2)) : [];
    const exceeded = tables.exceeded(charges.flat());
    if (exceeded !== undefined)
      throw cancelled(
        charges.map((own) =>
          own.includes(exceeded)
            ? { Code: 'ThrottlingError', Message: 'Throughput exceeds the current capacity' }
            : none,
        ),
      );
    for (const { change } of plans) tables.commit(change);
    return { $metadata };
  }
}
