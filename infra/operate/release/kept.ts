import { settingGroups, settingVariable } from '../../../shared/contract/settings.ts';
import type { RawResource } from './assembly-stacks.ts';
import { protectionsOfPlan, protectionsOfSelection, protectionsOfVault } from './kept-backups.ts';

/** The properties that determine how long a resource keeps its data. */
export interface Kept {
  /** The protections that are turned on. The value of a protection is true, which means forever, or a number of days. */
  readonly protections: Readonly<Record<string, true | number>>;
  /** The number of days after which each kind of data is deleted. Data that is kept forever is not listed. */
  readonly deletedAfter: Readonly<Record<string, number>>;
  /** Rules that can delete data if they are changed. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The operator's own key that encrypts the data; empty if AWS manages the key. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Capacities that AWS does not allow operators to lower. */
  readonly rising: Readonly<Record<string, number>>;
  /** The number of attempts after which failed messages move to the dead-letter queue. */
  readonly attempts: Readonly<Record<string, number>>;
}

type Properties = NonNullable<RawResource['Properties']>;

interface Replica {
  readonly SSESpecification?: { readonly KMSMasterKeyId?: unknown };
  readonly Region?: unknown;
  readonly DeletionProtectionEnabled?: boolean;
  readonly PointInTimeRecoverySpecification?: {
    readonly PointInTimeRecoveryEnabled?: boolean;
    readonly RecoveryPeriodInDays?: number;
  };
}

interface LifecycleRule {
  readonly Status: string;
  readonly Prefix?: string;
  readonly TagFilters?: readonly object[];
  readonly ExpirationInDays?: number;
  readonly ExpirationDate?: string;
  readonly NoncurrentVersionExpiration?: { readonly NoncurrentDays: number; readonly NewerNoncurrentVersions?: number };
}

interface Warmed {
  readonly WarmThroughput?: { readonly ReadUnitsPerSecond?: number; readonly WriteUnitsPerSecond?: number };
}

interface TableProperties extends Replica, Warmed {
  readonly GlobalSecondaryIndexes?: readonly (Warmed & { readonly IndexName: string })[];
  readonly Replicas?: readonly Replica[];
  readonly TimeToLiveSpecification?: { readonly Enabled: boolean; readonly AttributeName?: string };
}

interface BucketProperties {
  readonly VersioningConfiguration?: { readonly Status: string };
  readonly ObjectLockEnabled?: boolean;
  readonly ObjectLockConfiguration?: {
    readonly Rule?: {
      readonly DefaultRetention?: { readonly Mode: string; readonly Days?: number; readonly Years?: number };
    };
  };
  readonly LifecycleConfiguration?: { readonly Rules: readonly LifecycleRule[] };
  readonly BucketEncryption?: {
    readonly ServerSideEncryptionConfiguration: readonly {
      readonly ServerSideEncryptionByDefault?: { readonly KMSMasterKeyID?: unknown };
    }[];
  };
}

interface RedriveProperties {
  readonly maxReceiveCount: number;
}

interface DenyingProperties {
  readonly ResourcePolicy?: {
    readonly Statement?: readonly {
      readonly Effect: string;
      readonly Action: string | readonly string[];
      readonly Condition?: object;
    }[];
  };
}

interface ScopesProperties {
  readonly Scopes?: readonly { readonly ScopeName: string }[];
}

type Entries = readonly (readonly [name: string, value: true | number])[];

const on = (name: string, isOn: boolean | undefined): Entries => (isOn ? [[name, true]] : []);

const keyed = (key: unknown): Kept['keys'] => (key === undefined ? {} : { key });

/** In a `TableV2` (`AWS::DynamoDB::GlobalTable`), protection and recovery are properties of each replica. */
function keptOfReplica(
  { Region, DeletionProtectionEnabled, PointInTimeRecoverySpecification: recovery }: Replica,
  where: string,
): Entries {
  return [
    ...on(`the replica${where}`, Region !== undefined),
    ...on(`deletion protection${where}`, DeletionProtectionEnabled),
    // The default period of point-in-time recovery is 35 days ("PointInTimeRecoverySpecification", CloudFormation).
    ...(recovery?.PointInTimeRecoveryEnabled
      ? [[`point-in-time recovery${where}`, recovery.RecoveryPeriodInDays ?? 35] as const]
      : []),
  ];
}

const warmOf = (where: string, { WarmThroughput: warm = {} }: Warmed): (readonly [string, number])[] => [
  ...(warm.WriteUnitsPerSecond === undefined ? [] : [[`warm writes${where}`, warm.WriteUnitsPerSecond] as const]),
  ...(warm.ReadUnitsPerSecond === undefined ? [] : [[`warm reads${where}`, warm.ReadUnitsPerSecond] as const]),
];

function keptOfTable({ Replicas, TimeToLiveSpecification, ...table }: TableProperties): Partial<Kept> {
  const replicas = Replicas ?? [table];
  const where = ({ Region }: Replica): string => (replicas.length > 1 ? ` in ${JSON.stringify(Region)}` : '');
  return {
    protections: Object.fromEntries(replicas.flatMap((replica) => keptOfReplica(replica, where(replica)))),
    keys: Object.fromEntries(
      replicas.flatMap((replica) =>
        Object.entries(keyed(replica.SSESpecification?.KMSMasterKeyId)).map(([what, key]) => [
          what + where(replica),
          key,
        ]),
      ),
    ),
    // Warm throughput cannot be lowered: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
    rising: Object.fromEntries([
      ...warmOf('', table),
      ...(table.GlobalSecondaryIndexes ?? []).flatMap((index) => warmOf(` of the index ${index.IndexName}`, index)),
    ]),
    // DynamoDB deletes expired rows only if a time-to-live attribute is specified.
    rules: TimeToLiveSpecification?.Enabled ? { 'time-to-live attribute': TimeToLiveSpecification.AttributeName } : {},
  };
}

function keptOfObjects(rules: readonly LifecycleRule[]): Pick<Kept, 'deletedAfter' | 'rules'> {
  const deletedAfter: Record<string, number> = {};
  const newest: Record<string, number | undefined> = {};
  const add = (what: string, days: number | undefined): void => {
    if (days !== undefined) deletedAfter[what] = Math.min(days, deletedAfter[what] ?? Infinity);
  };
  for (const { Status, Prefix = '', TagFilters, NoncurrentVersionExpiration: old, ...rule } of rules) {
    if (Status !== 'Enabled') continue;
    const place = `"${Prefix}"${TagFilters === undefined ? '' : ` with the tags ${JSON.stringify(TagFilters)}`}`;
    add(`objects below ${place}`, rule.ExpirationDate === undefined ? rule.ExpirationInDays : 0);
    add(`old versions below ${place}`, old?.NoncurrentDays);
    if (old) newest[`number of old versions that are kept below ${place}`] = old.NewerNoncurrentVersions;
  }
  return { deletedAfter, rules: Object.fromEntries(Object.entries(newest).filter(([, count]) => count !== undefined)) };
}

function keptOfBucket(bucket: BucketProperties): Partial<Kept> {
  const { Mode, Days, Years } = bucket.ObjectLockConfiguration?.Rule?.DefaultRetention ?? {};
  const lockedDays = Days ?? (Years ?? 0) * 365;
  const [encryption] = bucket.BucketEncryption?.ServerSideEncryptionConfiguration ?? [];
  return {
    keys: keyed(encryption?.ServerSideEncryptionByDefault?.KMSMasterKeyID),
    protections: Object.fromEntries([
      ...on('versioning', bucket.VersioningConfiguration?.Status === 'Enabled'),
      ...on('Object Lock', bucket.ObjectLockEnabled),
      ...on('the lock mode COMPLIANCE', Mode === 'COMPLIANCE'),
      ...(lockedDays > 0 ? [['the lock of new objects', lockedDays] as const] : []),
    ]),
    ...keptOfObjects(bucket.LifecycleConfiguration?.Rules ?? []),
  };
}

/** Returns the actions that a resource policy denies. A removed denial allows operators to lose the secret's value. */
const denials = ({ ResourcePolicy }: DenyingProperties): Entries =>
  (ResourcePolicy?.Statement ?? [])
    .filter(({ Effect, Condition }) => Effect === 'Deny' && Condition === undefined)
    .flatMap(({ Action }) => [Action].flat().map((action) => [`the denial of ${action}`, true] as const));

const secondsPerDay = 86_400;

const readers: Readonly<Record<string, (properties: Properties) => Partial<Kept>>> = {
  'AWS::DynamoDB::Table': (table) => keptOfTable(table),
  'AWS::DynamoDB::GlobalTable': (table) => keptOfTable(table),
  'AWS::S3::Bucket': (bucket) => keptOfBucket(bucket),
  // A shorter retention period also deletes messages that are already in the queue ("SetQueueAttributes", Amazon SQS
  // API Reference: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html).
  // Its default is 4 days.
  'AWS::SQS::Queue': ({ MessageRetentionPeriod: seconds, KmsMasterKeyId, RedrivePolicy: redrive }) => ({
    keys: keyed(KmsMasterKeyId),
    protections: Object.fromEntries(on('the dead-letter queue', redrive !== undefined)),
    deletedAfter: { messages: Number(seconds ?? 4 * secondsPerDay) / secondsPerDay },
    attempts: redrive === undefined ? {} : { messages: Number((redrive as RedriveProperties).maxReceiveCount) },
  }),
  'AWS::SecretsManager::Secret': ({ KmsKeyId }) => ({ keys: keyed(KmsKeyId) }),
  'AWS::SecretsManager::ResourcePolicy': (policy) => ({ protections: Object.fromEntries(denials(policy)) }),
  'AWS::Backup::BackupVault': (vault) => ({ protections: protectionsOfVault(vault) }),
  'AWS::Backup::BackupPlan': (plan) => ({ protections: protectionsOfPlan(plan) }),
  'AWS::Backup::BackupSelection': (selection) => ({ protections: protectionsOfSelection(selection) }),
  'AWS::Logs::LogGroup': ({ RetentionInDays: days, KmsKeyId }) => ({
    keys: keyed(KmsKeyId),
    deletedAfter: days === undefined ? {} : { 'log lines': Number(days) },
  }),
  'AWS::KMS::Key': ({ Enabled, KeyPolicy, PendingWindowInDays: days }) => ({
    protections: Object.fromEntries(on('the key', Enabled !== false)),
    deletedAfter: { 'the key and all that it encrypts': Number(days ?? 30) },
    rules: { 'key policy': KeyPolicy },
  }),
  'AWS::Cognito::UserPool': ({ DeletionProtection }) => ({
    protections: Object.fromEntries(on('deletion protection', DeletionProtection === 'ACTIVE')),
  }),
  'AWS::Cognito::UserPoolResourceServer': ({ Scopes = [] }: ScopesProperties) => ({
    protections: Object.fromEntries(Scopes.map(({ ScopeName }) => [`the scope ${ScopeName}`, true] as const)),
  }),
};

export const keptOf = ({ Type, Properties = {} }: RawResource): Partial<Kept> => readers[Type]?.(Properties) ?? {};

/**
 * Returns the settings from which functions calculate when rows expire. If functions have different values for a
 * setting, the lowest value counts.
 */
export function retentionSettingsOf(resources: readonly RawResource[]): Record<string, number> {
  const variables = resources
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties = {} }) => (Properties.Environment as { Variables?: Record<string, unknown> })?.Variables ?? {});
  return Object.fromEntries(
    (Object.keys(settingGroups.retention) as (keyof typeof settingGroups.retention)[]).flatMap((name) => {
      const values = variables.map((given) => given[settingVariable(name)]).filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[`rows (${name})`, Math.min(...values.map(Number))] as const];
    }),
  );
}
