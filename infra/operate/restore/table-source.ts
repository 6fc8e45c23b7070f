import {
  type BackupSummary,
  DescribeContinuousBackupsCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { OptionError } from '../command-line.ts';
import { unlessMissing } from './deployed-stage.ts';

/** Formats a time without milliseconds. */
export const momentText = (moment: Date): string => moment.toISOString().replace('.000Z', 'Z');

const inWholeSeconds = (moment: Date | undefined, round: (seconds: number) => number): Date =>
  new Date(round((moment?.getTime() ?? 0) / 1000) * 1000);

type Restore = (target: string) => Promise<unknown>;

/** Finds the newest backup that DynamoDB created when a table was deleted. */
async function backupOfDeletion(dynamodb: DynamoDBClient, TableName: string): Promise<BackupSummary | undefined> {
  const { BackupSummaries = [] } = await dynamodb.send(new ListBackupsCommand({ TableName, BackupType: 'SYSTEM' }));
  return BackupSummaries.toSorted((a, b) => Number(b.BackupCreationDateTime) - Number(a.BackupCreationDateTime))[0];
}

/**
 * Checks that a table can be restored to a point in time. A restore always creates a new table. A deleted table can be
 * restored only to the time of its deletion, for 35 days ("Enable point-in-time recovery in DynamoDB", Amazon DynamoDB
 * Developer Guide).
 * @returns a function that starts restoring the table to a new table
 * @throws OptionError that states the possible times
 */
export async function tableSource(dynamodb: DynamoDBClient, table: string, moment: Date): Promise<Restore> {
  const found = await unlessMissing(dynamodb.send(new DescribeContinuousBackupsCommand({ TableName: table })));
  if (found === undefined) {
    const backup = await backupOfDeletion(dynamodb, table);
    if (backup === undefined)
      throw new OptionError(`${table} does not exist and has no backup: name a copy with --use`);
    const deletion = inWholeSeconds(backup.BackupCreationDateTime, Math.floor);
    if (moment.getTime() !== deletion.getTime())
      throw new OptionError(
        `${table} was deleted: it can be restored only to the time of its deletion, with --to ${momentText(deletion)}`,
      );
    const { BackupArn } = backup;
    return (TargetTableName) => dynamodb.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName }));
  }
  const { PointInTimeRecoveryDescription: window } = found.ContinuousBackupsDescription ?? {};
  if (window?.PointInTimeRecoveryStatus !== 'ENABLED')
    throw new OptionError(`${table} has no point-in-time recovery: name a restored copy with --use`);
  const earliest = inWholeSeconds(window.EarliestRestorableDateTime, Math.ceil);
  const latest = inWholeSeconds(window.LatestRestorableDateTime, Math.floor);
  if (moment < earliest || moment > latest)
    throw new OptionError(
      `--to ${momentText(moment)}: ${table} can be restored to a time from ${momentText(earliest)} to ${momentText(latest)}`,
    );
  return (TargetTableName) =>
    dynamodb.send(
      new RestoreTableToPointInTimeCommand({ SourceTableName: table, TargetTableName, RestoreDateTime: moment }),
    );
}
