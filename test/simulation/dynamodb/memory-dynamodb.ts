import type {
  BatchGetItemCommandInput,
  BatchWriteItemCommandInput,
  DeleteItemCommandInput,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { tables as contract, type TableName } from '../../../shared/contract/tables.ts';
import { operationOf } from '../aws/attach.ts';
import { batchWriteItem } from './batch-write.ts';
import { invalid } from './expressions/validation-error.ts';
import type { MemoryTable } from './memory-table.ts';
import { query, scan } from './query-operations.ts';
import { batchGetItem, getItem } from './read-operations.ts';
import { Tables, type TablesOptions } from './tables.ts';
import { Transactions } from './transact.ts';
import { deleteItem, putItem, updateItem } from './write-operations.ts';

/**
 * An in-memory simulation of DynamoDB that uses the given clock. The class supports the operations, conditions,
 * transactions, lagging sparse indexes, expiry and pages that the storage code uses. The class does not simulate the
 * SDK's retries (see ../aws/attach.ts).
 */
export class MemoryDynamodb {
  readonly tables: Tables;
  readonly #transactions: Transactions;
  readonly #CreationDateTime: Date;

  constructor(options: TablesOptions) {
    this.tables = new Tables(options);
    this.#CreationDateTime = new Date(options.now());
    this.#transactions = new Transactions(this.tables);
  }

  /** Creates an empty table with the keys and indexes from the contract. */
  createTable(name: TableName, as: string = name): MemoryTable {
    return this.tables.create(as, contract[name]);
  }

  /** Handles an SDK command. `attach` replaces the SDK's `send` with this method. */
  send(command: object): Promise<object> {
    return this.execute(operationOf(command), (command as { readonly input: object }).input);
  }

  /**
   * Handles one request for an operation such as `PutItem`.
   * @throws the SDK's exceptions
   */
  async execute(operation: string, input: object): Promise<object> {
    this.tables.expire();
    switch (operation) {
      case 'GetItem':
        return getItem(this.tables, input as GetItemCommandInput);
      case 'PutItem':
        return putItem(this.tables, input as PutItemCommandInput);
      case 'UpdateItem':
        return updateItem(this.tables, input as UpdateItemCommandInput);
      case 'DeleteItem':
        return deleteItem(this.tables, input as DeleteItemCommandInput);
      case 'Query':
        return query(this.tables, input as QueryCommandInput);
      case 'Scan':
        return scan(this.tables, input as ScanCommandInput);
      case 'BatchGetItem':
        return batchGetItem(this.tables, input as BatchGetItemCommandInput);
      case 'BatchWriteItem':
        return batchWriteItem(this.tables, input as BatchWriteItemCommandInput);
      case 'TransactWriteItems':
        return this.#transactions.write(input as TransactWriteItemsCommandInput);
      case 'DescribeTable':
        return { Table: { CreationDateTime: this.#CreationDateTime } };
      default:
        throw invalid(`the simulated DynamoDB does not support ${operation}`);
    }
  }
}
