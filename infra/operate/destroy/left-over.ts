/** Runs the AWS CLI, and returns its output. */
export type Aws = (...args: readonly string[]) => Promise<string>;

type Removal = (aws: Aws, name: string) => Promise<unknown>;

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

/** Deletes a vault with all backups, unless a vault lock in `compliance` mode prevents this. */
const removeVault: Removal = async (aws, vault) => {
  const named = ['--backup-vault-name', vault];
  await aws('backup', 'delete-backup-vault-lock-configuration', ...named);
  const query = ['--query', 'RecoveryPoints[].RecoveryPointArn', '--output', 'json'];
  const page = await aws('backup', 'list-recovery-points-by-backup-vault', ...named, ...query);
  for (const arn of JSON.parse(page || '[]') as string[])
    await aws('backup', 'delete-recovery-point', ...named, '--recovery-point-arn', arn);
  await aws('backup', 'delete-backup-vault', ...named);
};

/** The function that deletes each kind of resource that outlives its stack, by ARN pattern. */
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
  [/:backup:.*:backup-vault:(.+)$/, removeVault],
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
 * Deletes a resource with all its data. A missing resource is not an error, because AWS updates its lists of tagged
 * resources with a delay.
 */
export async function removeLeftOver(aws: Aws, arn: string): Promise<void> {
  for (const [pattern, remove] of removals) {
    const [, name] = pattern.exec(arn) ?? [];
    if (name === undefined) continue;
    await remove(aws, name).catch((error: Error) => {
      // The error for a key whose deletion is already scheduled contains `pending deletion`.
      if (!/NotFound|NoSuch|does not exist|pending deletion/.test(error.message)) throw error;
    });
  }
}
