import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  type ITable,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type TableName, type Table as TableShape, tables } from '../../shared/contract/tables.ts';

const keyPart = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The number of units per second that a new on-demand table can serve:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
 */
export const newTableUnits = { writes: 4000, reads: 12_000 } as const;

// The maximum number of read units per second, which is the default quota for a table ("Quotas in Amazon DynamoDB").
const maxReads = 40_000;

/** Returns the warm throughput, in units per second, of a table and of each warmed index. */
export const warmUnits = (writesPerSecond: number) => ({
  writes: writesPerSecond,
  reads: Math.min(newTableUnits.reads * (writesPerSecond / newTableUnits.writes), maxReads),
});

interface TablesProps {
  readonly warmWritesPerSecond: number;
  readonly isProtected: boolean;
  readonly key?: IKey | undefined;
  /** Returns the name of a restored table; empty for a table that the stack creates. */
  readonly nameOf: (table: TableName) => string;
}

/**
 * The tables that the contract defines. The tables are retained when the stack is deleted. A `TableV2` is a global
 * table, so an operator can add a replica in another Region without replacing the table.
 */
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
    return TableV2.fromTableAttributes(this, name, { tableName, globalIndexes: Object.keys(indexes) });
  }

  private add(name: string, shape: TableShape, { warmWritesPerSecond, isProtected, key }: TablesProps): TableV2 {
    const { writes, reads } = warmUnits(warmWritesPerSecond);
    const warmThroughput =
      shape.isWarmed && writes > newTableUnits.writes
        ? { writeUnitsPerSecond: writes, readUnitsPerSecond: reads }
        : undefined;
    const table = new TableV2(this, name, {
      partitionKey: keyPart(shape.partition),
      ...(shape.sort === undefined ? {} : { sortKey: keyPart(shape.sort) }),
      ...(shape.expiresAt === undefined ? {} : { timeToLiveAttribute: shape.expiresAt }),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      ...(warmThroughput && { warmThroughput }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      globalSecondaryIndexes: Object.entries(shape.indexes ?? {}).map(([indexName, index]) => ({
        indexName,
        partitionKey: keyPart(index.partition),
        ...(warmThroughput && !index.isSeldomWritten && { warmThroughput }),
        ...(index.sort === undefined ? {} : { sortKey: keyPart(index.sort) }),
        ...(index.includes === undefined
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.includes] }),
      })),
    });
    // Overrides the template, because CDK's property for the key requires the Region, which a stage can omit.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/
    // TemplateReference/aws-properties-dynamodb-globaltable-replicassespecification.html
    if (key)
      (table.node.defaultChild as CfnGlobalTable).addPropertyOverride(
        'Replicas.0.SSESpecification.KMSMasterKeyId',
        key.keyArn,
      );
    return table;
  }
}
