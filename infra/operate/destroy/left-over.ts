import type { Aws } from '../aws-cli.ts';
import { counted } from '../counted.ts';

/** Reports progress, and pauses between two checks. */
export interface Waiting {
  readonly say: (line: string) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

type Removal = (aws: Aws, name: string, waiting: Waiting) => Promise<unknown>;

/** A missing resource is no error, because AWS updates tag lists late. */
const unlessMissing = (removed: Promise<unknown>): Promise<unknown> =>
  removed.catch((error: Error) => {
    // The error for a key whose deletion is already scheduled contains `pending deletion`.
    if (!/NotFound|NoSuch|does not exist|pending deletion/.test(error.message)) throw error;
  });

/** Deletes a bucket with all object versions, even if Object Lock in `governance` mode protects them. */
const removeBucket: Removal = async (aws, bucket) => {
  const named = ['--bucket', bucket, '--output', 'json'];
  const query = '{Objects:[Versions,DeleteMarkers][].{Key:Key,VersionId:VersionId}}';
  for (;;) {
    const page = await aws('s3api', 'list-object-versions', ...named, '--max-items', '300', '--query', query);
    if (!JSON.parse(page || '{}').Objects?.length) break;
    const result = await aws('s3api', 'delete-objects', ...named, '--bypass-governance-retention', '--delete', page);
    const { Errors = [] } = JSON.parse(result || '{}') as { Errors?: readonly { Key: string; Code: string }[] };
    if (Errors[0]) throw new Error(`${bucket}: ${Errors[0].Key} cannot be deleted (${Errors[0].Code}). Is it locked?`);
  }
  await aws('s3api', 'delete-bucket', '--bucket', bucket);
};

const pollMilliseconds = 10_000;
const mostPolls = 90;

/**
 * Deletes all backups in a vault, unless a vault lock in `compliance` mode prevents this. Waits until the vault is
 * empty, because AWS Backup deletes some backups later, and only an empty vault can be deleted.
 */
const emptyVault: Removal = async (aws, vault, { say, sleep }) => {
  const named = ['--backup-vault-name', vault];
  await aws('backup', 'delete-backup-vault-lock-configuration', ...named);
  const query = ['--query', 'RecoveryPoints[].[RecoveryPointArn,Status]', '--output', 'json'];
  for (let polls = 0; ; polls += 1) {
    const page = await aws('backup', 'list-recovery-points-by-backup-vault', ...named, ...query);
    const backups = JSON.parse(page || '[]') as [arn: string, status: string][];
    if (backups.length === 0) return;
    const left = `${counted(backups.length, 'backup')} in ${vault}`;
    if (polls === mostPolls) throw new Error(`AWS has not yet deleted ${left}: run npm run destroy again later`);
    say(`deleting ${left} ...`);
    for (const [arn, status] of backups) {
      if (status === 'DELETING') continue;
      const deleting = aws('backup', 'delete-recovery-point', ...named, '--recovery-point-arn', arn);
      await unlessMissing(deleting).catch((error: Error) => {
        // AWS Backup is still creating or already deleting this backup ("DeleteRecoveryPoint", AWS Backup API Reference).
        if (!error.message.includes('InvalidResourceState')) throw error;
      });
    }
    await sleep(pollMilliseconds);
  }
};

const removeVault: Removal = async (aws, vault, waiting) => {
  await emptyVault(aws, vault, waiting);
  await aws('backup', 'delete-backup-vault', '--backup-vault-name', vault);
};

const vaultArn = /:backup:.*:backup-vault:(.+)$/;

/** How to delete each kind of resource that outlives its stack, by ARN pattern. */
const removals: readonly (readonly [arn: RegExp, remove: Removal])[] = [
  [/:dynamodb:.*:table\/([^/]+)$/, (aws, name) => aws('dynamodb', 'delete-table', '--table-name', name)],
  [/:s3:::([^/]+)$/, removeBucket],
  [
    /^(arn:[^:]+:secretsmanager:.*)$/,
    async (aws, arn) => {
      // The policy of the naming secret denies its deletion.
      await aws('secretsmanager', 'delete-resource-policy', '--secret-id', arn);
      await aws('secretsmanager', 'delete-secret', '--force-delete-without-recovery', '--secret-id', arn);
    },
  ],
  [
    /:kms:.*:key\/(.+)$/,
    (aws, id) => aws('kms', 'schedule-key-deletion', '--pending-window-in-days', '7', '--key-id', id),
  ],
  [vaultArn, removeVault],
  [/:logs:.*:log-group:([^:]+)/, (aws, name) => aws('logs', 'delete-log-group', '--log-group-name', name)],
  [/:ec2:.*:elastic-ip\/(.+)$/, (aws, id) => aws('ec2', 'release-address', '--allocation-id', id)],
  [/:cognito-idp:.*:userpool\/(.+)$/, (aws, id) => aws('cognito-idp', 'delete-user-pool', '--user-pool-id', id)],
];

/** Lists the ARNs of the resources that outlive the stacks of a stage. The resources are found by their tags. */
export async function listLeftOver(aws: Aws, service: string, stage: string): Promise<string[]> {
  const filters = [`Key=service,Values=${service}`, `Key=stage,Values=${stage}`];
  const query = ['--query', 'ResourceTagMappingList[].ResourceARN', '--output', 'json'];
  const found = await aws('resourcegroupstaggingapi', 'get-resources', '--tag-filters', ...filters, ...query);
  return (JSON.parse(found || '[]') as string[]).filter((arn) => removals.some(([pattern]) => pattern.test(arn)));
}

/**
 * Deletes the backups in all vaults. The stacks must still exist, because AWS Backup deletes a backup with the role that
 * created it: https://docs.aws.amazon.com/aws-backup/latest/devguide/backup-iam.html. Only reports errors, because the
 * removal of the vault repeats the deletion.
 */
export async function emptyVaults(aws: Aws, arns: readonly string[], waiting: Waiting): Promise<void> {
  for (const arn of arns) {
    const vault = vaultArn.exec(arn)?.[1];
    if (vault === undefined) continue;
    await unlessMissing(emptyVault(aws, vault, waiting)).catch(({ message }: Error) => waiting.say(message));
  }
}

/** Deletes a resource with all its data. */
export async function removeLeftOver(aws: Aws, arn: string, waiting: Waiting): Promise<void> {
  for (const [pattern, remove] of removals) {
    const name = pattern.exec(arn)?.[1];
    if (name !== undefined) await unlessMissing(remove(aws, name, waiting));
  }
}
