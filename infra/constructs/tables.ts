import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type TableName, type Table as TableShape, tables } from '../../shared/contract/tables.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

// The number of writes per second that a new on-demand table can serve ("Warm throughput", Amazon DynamoDB Developer Guide).
const newTableWrites = 4000;

// The default quota for reads per table ("Quotas in Amazon DynamoDB"), and therefore the maximum here.
const maxReads = 40_000;

interface TablesProps {
  readonly warmWritesPerSecond: number;
  readonly isProtected: boolean;
  /** Returns the name of a restored table; empty for a table that the stack creates. */
  readonly nameOf: (table: TableName) => string;
}

/** The tables in `contract/tables.ts`, which are retained when the stack is deleted. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, ITable>>;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const entries = Object.entries<TableShape>(tables).map(([name, shape]) => {
      const tableName = props.nameOf(name as TableName);
      return [name, tableName === '' ? this.add(name, shape, props) : this.reference(name, shape, tableName)];
    });
    this.byName = Object.fromEntries(entries) as Record<TableName, ITable>;
  }

  private reference(name: string, { indexes = {} }: TableShape, tableName: string): ITable {
    return Table.fromTableAttributes(this, name, { tableName, globalIndexes: Object.keys(indexes) });
  }

  private add(name: string, shape: TableShape, { warmWritesPerSecond, isProtected }: TablesProps): Table {
    const writesPerSecond = shape.isWarmed ? warmWritesPerSecond : newTableWrites;
    const warmThroughput =
      writesPerSecond > newTableWrites
        ? { writeUnitsPerSecond: writesPerSecond, readUnitsPerSecond: Math.min(3 * writesPerSecond, maxReads) }
        : undefined;
    const table = new Table(this, name, {
      partitionKey: key(shape.partition),
      ...(shape.sort === undefined ? {} : { sortKey: key(shape.sort) }),
      ...(shape.expiresAt === undefined ? {} : { timeToLiveAttribute: shape.expiresAt }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      ...(warmThroughput && { warmThroughput }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    for (const [indexName, index] of Object.entries(shape.indexes ?? {})) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: key(index.partition),
        ...(warmThroughput && !index.isSeldomWritten && { warmThroughput }),
        ...(index.sort === undefined ? {} : { sortKey: key(index.sort) }),
        ...(index.includes === undefined
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.includes] }),
      });
    }
    return table;
  }
}
