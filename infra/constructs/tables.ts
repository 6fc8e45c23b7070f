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

// "Warm throughput" in the Amazon DynamoDB Developer Guide: what a new on-demand table bears by itself.
const newTableWrites = 4000;

// "Quotas in Amazon DynamoDB": reads of a table that an account has without asking, and no setting warms more.
const mostReads = 40_000;

interface TablesProps {
  /** What the tables of deliveries bear at once. */
  readonly warmWritesPerSecond: number;
  /** Whether DynamoDB refuses to delete them. */
  readonly isProtected: boolean;
  /** The name of a table that is there already, and is not the stack's to make or change; empty for all others. */
  readonly nameOf: (table: TableName) => string;
}

/** The tables of `contract/tables.ts`. They outlive the stack: a registry is not deleted by a slip. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, ITable>>;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const entries = Object.entries<TableShape>(tables).map(([name, shape]) => {
      const tableName = props.nameOf(name as TableName);
      return [name, tableName === '' ? this.add(name, shape, props) : this.refer(name, shape, tableName)];
    });
    this.byName = Object.fromEntries(entries) as Record<TableName, ITable>;
  }

  private refer(name: string, { indexes = {} }: TableShape, tableName: string): ITable {
    return Table.fromTableAttributes(this, name, { tableName, globalIndexes: Object.keys(indexes) });
  }

  private add(name: string, shape: TableShape, { warmWritesPerSecond, isProtected }: TablesProps): Table {
    const writesPerSecond = shape.isWarmed ? warmWritesPerSecond : newTableWrites;
    const warmThroughput =
      writesPerSecond > newTableWrites
        ? { writeUnitsPerSecond: writesPerSecond, readUnitsPerSecond: Math.min(3 * writesPerSecond, mostReads) }
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
        ...(warmThroughput && !index.isOncePerEvent && { warmThroughput }),
        ...(index.sort === undefined ? {} : { sortKey: key(index.sort) }),
        ...(index.includes === undefined
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.includes] }),
      });
    }
    return table;
  }
}
