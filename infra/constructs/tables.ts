import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type TableName, type Table as TableShape, tables } from '../../shared/contract/tables.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

// "Warm throughput" in the Amazon DynamoDB Developer Guide: what a new on-demand table bears by itself.
const newTableWrites = 4000;

/** The tables of `contract/tables.ts`. They outlive the stack: a registry is not deleted by a slip. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, Table>>;

  constructor(scope: Construct, id: string, warmWritesPerSecond: number) {
    super(scope, id);
    const entries = Object.entries<TableShape>(tables).map(([name, shape]) => [
      name,
      this.add(name, shape, shape.isWarmed ? warmWritesPerSecond : newTableWrites),
    ]);
    this.byName = Object.fromEntries(entries) as Record<TableName, Table>;
  }

  private add(name: string, shape: TableShape, writesPerSecond: number): Table {
    const warmThroughput =
      writesPerSecond > newTableWrites
        ? { writeUnitsPerSecond: writesPerSecond, readUnitsPerSecond: 3 * writesPerSecond }
        : undefined;
    const table = new Table(this, name, {
      partitionKey: key(shape.partition),
      ...(shape.sort === undefined ? {} : { sortKey: key(shape.sort) }),
      ...(shape.expiresAt === undefined ? {} : { timeToLiveAttribute: shape.expiresAt }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...(warmThroughput && { warmThroughput }),
      removalPolicy: RemovalPolicy.RETAIN,
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
