import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  type TableDescription,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
  type WarmThroughput,
} from '@aws-sdk/client-dynamodb';
import { pollMilliseconds, retryOn, type Terminal } from './steps.ts';
import type { StoreSetting } from './store-setting.ts';

/** The properties of a table in the stage's template. */
export interface TableShape {
  readonly KeySchema: readonly object[];
  readonly TimeToLiveSpecification?: { readonly AttributeName: string };
  readonly WarmThroughput?: WarmThroughput;
  readonly Replicas?: readonly {
    readonly DeletionProtectionEnabled?: boolean;
    readonly Tags?: readonly Tag[];
  }[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly object[];
    readonly WarmThroughput?: WarmThroughput;
  }[];
}

// The maximum number of attempts to turn on backups. Backups are not available in the first minutes after a table is
// created.
const backupTries = 60;

export async function describeTable(dynamodb: DynamoDBClient, TableName: string): Promise<TableDescription> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  return Table ?? {};
}

/** Waits until a table and its indexes are active. A restore can take hours. */
export async function waitUntilActive(dynamodb: DynamoDBClient, table: string, terminal: Terminal): Promise<void> {
  for (let last = ''; ; ) {
    const { TableStatus = '', GlobalSecondaryIndexes = [] } = await describeTable(dynamodb, table);
    const building = GlobalSecondaryIndexes.find(({ IndexStatus }) => IndexStatus !== 'ACTIVE');
    if (TableStatus === 'ACTIVE' && building === undefined) return;
    const line = `${table} is ${TableStatus === 'ACTIVE' ? `building ${building?.IndexName}` : TableStatus} ...`;
    if (line !== last) terminal.say(line);
    last = line;
    await terminal.sleep(pollMilliseconds);
  }
}

/** A restored table has a tag with this key. The value of the tag is the name of the replaced table. */
export const oldTableTag = 'restored-from';

async function tagsOf(dynamodb: DynamoDBClient, TableName: string): Promise<readonly Tag[]> {
  const { TableArn } = await describeTable(dynamodb, TableName);
  return (await dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: TableArn }))).Tags ?? [];
}

export const tagOf = async (dynamodb: DynamoDBClient, table: string, key: string): Promise<string | undefined> =>
  (await tagsOf(dynamodb, table)).find(({ Key }) => Key === key)?.Value;

const isWarm = (is: WarmThroughput | undefined, wanted: WarmThroughput): boolean =>
  (is?.ReadUnitsPerSecond ?? 0) >= (wanted.ReadUnitsPerSecond ?? 0) &&
  (is?.WriteUnitsPerSecond ?? 0) >= (wanted.WriteUnitsPerSecond ?? 0);

/**
 * Lists the settings that a restore does not copy ("Restore a table in DynamoDB", Amazon DynamoDB Developer Guide),
 * with their values in the template. Streams are not listed, because no table has a stream. Alarms are not listed,
 * because a deployment updates them.
 */
export function tableSettings(
  dynamodb: DynamoDBClient,
  TableName: string,
  shape: TableShape,
  terminal: Terminal,
  moreTags: readonly Tag[],
): StoreSetting[] {
  const described = () => describeTable(dynamodb, TableName);
  const update = async (change: Omit<UpdateTableCommandInput, 'TableName'>) => {
    await dynamodb.send(new UpdateTableCommand({ TableName, ...change }));
    await waitUntilActive(dynamodb, TableName, terminal);
  };
  const [{ DeletionProtectionEnabled = false, Tags: ofTemplate = [] } = {}] = shape.Replicas ?? [];
  const Tags = [...ofTemplate, ...moreTags];
  const backups: StoreSetting = {
    what: 'point-in-time recovery',
    async isSet() {
      const found = await dynamodb.send(new DescribeContinuousBackupsCommand({ TableName }));
      const { PointInTimeRecoveryDescription } = found.ContinuousBackupsDescription ?? {};
      return PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
    },
    set() {
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      const command = new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification });
      return retryOn('ContinuousBackupsUnavailable', backupTries, terminal, () => dynamodb.send(command));
    },
  };
  const expiry = (AttributeName: string): StoreSetting => ({
    what: 'expiry of rows',
    async isSet() {
      const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
      const isOn = TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') === true;
      return isOn && TimeToLiveDescription?.AttributeName === AttributeName;
    },
    set() {
      const TimeToLiveSpecification = { Enabled: true, AttributeName };
      return dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    },
  });
  const warm = (WarmThroughput: WarmThroughput): StoreSetting => ({
    what: 'warm throughput',
    isSet: async () => isWarm((await described()).WarmThroughput, WarmThroughput),
    set: () => update({ WarmThroughput }),
  });
  const warmIndex = (IndexName: string, WarmThroughput: WarmThroughput): StoreSetting => ({
    what: `warm throughput of ${IndexName}`,
    async isSet() {
      const index = (await described()).GlobalSecondaryIndexes?.find((one) => one.IndexName === IndexName);
      return isWarm(index?.WarmThroughput, WarmThroughput);
    },
    set: () => update({ GlobalSecondaryIndexUpdates: [{ Update: { IndexName, WarmThroughput } }] }),
  });
  const protection: StoreSetting = {
    what: 'deletion protection',
    isSet: async () => (await described()).DeletionProtectionEnabled === true,
    set: () => update({ DeletionProtectionEnabled }),
  };
  const tags: StoreSetting = {
    what: 'tags',
    async isSet() {
      const found = await tagsOf(dynamodb, TableName);
      return Tags.every(({ Key, Value }) => found.some((one) => one.Key === Key && one.Value === Value));
    },
    async set() {
      const { TableArn } = await described();
      await dynamodb.send(new TagResourceCommand({ ResourceArn: TableArn, Tags }));
    },
  };
  return [
    backups,
    ...(shape.TimeToLiveSpecification ? [expiry(shape.TimeToLiveSpecification.AttributeName)] : []),
    ...(shape.WarmThroughput ? [warm(shape.WarmThroughput)] : []),
    ...(shape.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, WarmThroughput }) =>
      WarmThroughput ? [warmIndex(IndexName, WarmThroughput)] : [],
    ),
    ...(DeletionProtectionEnabled ? [protection] : []),
    tags,
  ];
}
