import { beforeAll, describe, expect, test } from 'vitest';
import type { RawResource } from '../../../infra/operate/release/assembly-stacks.ts';
import { changes, type Release } from '../../../infra/operate/release/changes.ts';
import { type Excerpt, excerptOf, type ResourceExcerpt } from '../../../infra/operate/release/excerpt.ts';
import { findLosses } from '../../../infra/operate/release/find-losses.ts';
import { currentRelease, lastRelease } from '../../../infra/operate/release/releases.ts';

let current: Release;
let now: Excerpt;
beforeAll(async () => {
  current = await currentRelease();
  now = current.stacks;
});

const stack = 'IdentityRegistry-prod';
const data = `${stack}-Data`;
const idOf = (type: string, construct: string): string =>
  Object.entries({ ...now[stack], ...now[data] }).find(
    ([id, one]) => one.type === type && id.includes(construct),
  )?.[0] ?? '';

/** Returns the excerpt with one resource changed or removed. */
function altered(id: string, change: (resource: ResourceExcerpt) => ResourceExcerpt | undefined): Excerpt {
  const its = Object.hasOwn(now[data] ?? {}, id) ? data : stack;
  const { [id]: old, ...others } = now[its] ?? {};
  const changed = old && change(old);
  return { ...now, [its]: changed ? { ...others, [id]: changed } : others };
}

test('the last release can be updated to this release without losses (otherwise deploy in steps, and run npm run release)', () => {
  expect(changes(lastRelease(), current)).toEqual({ lost: [], lostByRollback: [] });
});

test.each([
  ['AWS::DynamoDB::GlobalTable', ['TableName', 'KeySchema']],
  ['AWS::S3::Bucket', ['BucketName']],
  ['AWS::SecretsManager::Secret', ['Name', 'GenerateSecretString']],
  ['AWS::SQS::Queue', ['QueueName', 'FifoQueue']],
  ['AWS::ApiGateway::RestApi', []],
  ['AWS::ApiGateway::Stage', ['StageName']],
  ['AWS::ApiGateway::DomainName', ['DomainName']],
  ['AWS::SES::ConfigurationSet', ['Name']],
  ['AWS::Cognito::UserPool', ['AliasAttributes', 'UsernameAttributes']],
  ['AWS::EC2::EIP', []],
])('a release contains each %s with the properties whose change replaces the resource: %j', (Type, names) => {
  const properties = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const one = { Type, Properties: { ...properties, Tags: [] }, DeletionPolicy: 'RetainExceptOnCreate' };
  expect(excerptOf({ Resources: { one } })).toMatchObject({ one: { type: Type, isRetained: true, properties } });
});

test('a release of production contains every table, bucket, secret, queue, key, log and API', () => {
  const types = [stack, data].flatMap((name) => Object.values(now[name] ?? {})).map(({ type }) => type);
  expect([...new Set(types)].toSorted()).toEqual([
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::DynamoDB::GlobalTable',
    'AWS::KMS::Key',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SES::ConfigurationSet',
    'AWS::SQS::Queue',
    'AWS::SecretsManager::Secret',
    'Functions::settings',
  ]);
});

test('an update that lowers the retention settings is reported for each setting', async () => {
  const names = [
    'documentVersionDays',
    'deliveryDays',
    'journalDays',
    'importDays',
    'journalLockDays',
    'logRetentionDays',
  ];
  const lowered = await currentRelease(Object.fromEntries(names.map((name) => [name, '1'])));
  const { lost } = changes(current, lowered);
  for (const line of [
    'old versions below "documents/": deleted after 1 days instead of never',
    'objects below "messages/": deleted after 16 days instead of 45 days',
    'objects below "imports/": deleted after 1 days instead of 30 days',
    'the lock of new objects covers 1 days instead of 400',
    'objects below "journal/": deleted after 1 days instead of 400 days',
    'log lines: deleted after 1 days instead of 365 days',
    'rows (deliveryDays): deleted after 1 days instead of 30 days',
    'rows (journalDays): deleted after 1 days instead of 400 days',
    'rows (importDays): deleted after 1 days instead of 30 days',
  ])
    expect(lost).toContainEqual(expect.stringMatching(`: ${line.replace(/[()]/g, '.')}$`));
  expect(changes(lowered, current).lost).toEqual([]);
});

type Properties = NonNullable<RawResource['Properties']>;

const pitr = (RecoveryPeriodInDays?: number) => ({
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays },
});
const replicas = (...Replicas: object[]) => ({ Replicas });
const one = { Region: 'eu-west-1', ...pitr(), DeletionProtectionEnabled: true };
const other = { ...one, Region: 'eu-west-3' };
const lock = (Mode: string, period: object) => ({
  ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode, ...period } } },
});
const lifecycle = (rule: object) => ({ LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ...rule }] } });
const newest = (NewerNoncurrentVersions: number) =>
  lifecycle({ NoncurrentVersionExpiration: { NoncurrentDays: 9, NewerNoncurrentVersions } });
const ttl = (AttributeName: string) => ({ TimeToLiveSpecification: { Enabled: true, AttributeName } });

const sse = (KMSMasterKeyId: string) => ({ SSESpecification: { KMSMasterKeyId } });
const bucketKey = (KMSMasterKeyID: string) => ({
  BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { KMSMasterKeyID } }] },
});
const warm = (writes: number) => ({ WarmThroughput: { WriteUnitsPerSecond: writes, ReadUnitsPerSecond: 3 * writes } });
const vaultLock = (MinRetentionDays: number, ChangeableForDays?: number) => ({
  LockConfiguration: { MinRetentionDays, ...(ChangeableForDays && { ChangeableForDays }) },
});
const plan = (DeleteAfterDays: number, ...CopyActions: object[]) => ({
  BackupPlan: { BackupPlanRule: [{ Lifecycle: { DeleteAfterDays }, CopyActions }] },
});

test.each<[type: string, before: Properties, after: Properties, loss: string]>([
  ['DynamoDB::Table', pitr(), {}, 'point-in-time recovery is switched off or removed'],
  ['DynamoDB::Table', pitr(), pitr(7), 'point-in-time recovery covers 7 days instead of 35'],
  ['DynamoDB::Table', { DeletionProtectionEnabled: true }, {}, 'deletion protection is switched off or removed'],
  ['DynamoDB::Table', {}, ttl('at'), 'a different time-to-live attribute can delete data'],
  ['DynamoDB::GlobalTable', ttl('at'), ttl('until'), 'a different time-to-live attribute can delete data'],
  ['DynamoDB::GlobalTable', replicas(one), replicas({ ...one, ...pitr(1) }), 'point-in-time recovery covers 1 days'],
  ['DynamoDB::GlobalTable', replicas(one, other), replicas(one, one), 'the replica in "eu-west-3" is switched off'],
  ['S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }, {}, 'versioning is switched off or removed'],
  ['S3::Bucket', { ObjectLockEnabled: true }, {}, 'Object Lock is switched off or removed'],
  ['S3::Bucket', lock('GOVERNANCE', { Years: 1 }), lock('COMPLIANCE', { Days: 9 }), 'covers 9 days instead of 365'],
  ['S3::Bucket', lock('COMPLIANCE', { Days: 9 }), lock('GOVERNANCE', { Days: 9 }), 'the lock mode COMPLIANCE is'],
  [
    'S3::Bucket',
    lifecycle({ Prefix: 'a', ExpirationInDays: 9 }),
    lifecycle({ ExpirationInDays: 9 }),
    'objects below ""',
  ],
  ['S3::Bucket', {}, lifecycle({ ExpirationDate: '2027-01-01' }), 'objects below "": deleted after 0 days'],
  ['S3::Bucket', newest(5), newest(1), 'a different number of old versions that are kept below ""'],
  ['SQS::Queue', {}, { MessageRetentionPeriod: 86_400 }, 'messages: deleted after 1 days instead of 4 days'],
  ['Logs::LogGroup', {}, { RetentionInDays: 365 }, 'log lines: deleted after 365 days instead of never'],
  ['DynamoDB::GlobalTable', replicas(sse('a')), replicas(sse('b')), 'a different key: data that the previous key'],
  ['S3::Bucket', bucketKey('a'), {}, 'a different key'],
  ['SQS::Queue', {}, { KmsMasterKeyId: 'a' }, 'a different key'],
  ['SecretsManager::Secret', { KmsKeyId: 'a' }, { KmsKeyId: 'b' }, 'a different key'],
  ['Logs::LogGroup', { KmsKeyId: 'a' }, {}, 'a different key'],
  ['DynamoDB::GlobalTable', warm(8000), warm(6000), 'warm writes fall from 8000 to 6000, which AWS rejects'],
  [
    'DynamoDB::GlobalTable',
    { GlobalSecondaryIndexes: [{ IndexName: 'i', ...warm(8000) }] },
    { GlobalSecondaryIndexes: [{ IndexName: 'i' }] },
    'warm reads of the index i fall from 24000 to the default',
  ],
  ['Backup::BackupVault', { EncryptionKeyArn: 'a' }, {}, 'a different EncryptionKeyArn creates a new, empty resource'],
  ['Backup::BackupVault', vaultLock(9, 3), vaultLock(7), 'the lock of backups covers 7 days instead of 9'],
  ['Backup::BackupVault', vaultLock(9, 3), vaultLock(9), 'the lock mode COMPLIANCE is switched off'],
  ['Backup::BackupPlan', plan(9, {}), plan(7), 'backups: deleted after 7 days instead of 9 days'],
  ['Backup::BackupPlan', plan(9, {}), plan(9), 'the copy of each backup is switched off or removed'],
  ['KMS::Key', { KeyPolicy: {} }, { KeyPolicy: { Statement: [] } }, 'a different key policy can delete data'],
  ['KMS::Key', {}, { Enabled: false }, 'the key is switched off or removed'],
  ['KMS::Key', {}, { PendingWindowInDays: 7 }, 'the key and all that it encrypts: deleted after 7 days instead of 30'],
  ['Cognito::UserPool', { DeletionProtection: 'ACTIVE' }, {}, 'deletion protection is switched off or removed'],
])('the comparison of releases reports that a %s with %j becomes one with %j', (type, before, after, loss) => {
  const excerpt = (Properties: Properties) => ({
    a: excerptOf({ Resources: { b: { Type: `AWS::${type}`, Properties } } }),
  });
  expect(findLosses(excerpt(before), excerpt(after))).toContainEqual(expect.stringContaining(loss));
  expect(findLosses(excerpt(before), excerpt(before))).toEqual([]);
});

test('the comparison of releases accepts a log group that is removed and retained, but no other type of a resource', () => {
  const [logs, b] = [{ Type: 'AWS::Logs::LogGroup', DeletionPolicy: 'Retain' }, { Type: 'AWS::DynamoDB::Table' }];
  const [before, after] = [{ logs, b }, { b: { Type: 'AWS::DynamoDB::GlobalTable' } }].map((Resources) =>
    excerptOf({ Resources }),
  );
  expect(findLosses({ a: before as Excerpt[string] }, { a: after as Excerpt[string] })).toEqual([
    'a DynamoDB Table b: becomes a AWS::DynamoDB::GlobalTable, which CloudFormation rejects',
  ]);
});

/** Returns the losses of an update in which one resource is changed or removed. */
const lossesOf = (...changed: Parameters<typeof altered>): string[] => findLosses(now, altered(...changed));

describe('the comparison of releases reports', () => {
  const persons = () => idOf('AWS::DynamoDB::GlobalTable', 'persons');
  const indexes = ({ indexes = {} }: ResourceExcerpt) => indexes as Readonly<Record<string, object>>;

  test('a removed table', () => {
    expect(lossesOf(persons(), () => undefined)).toEqual([
      `${data} DynamoDB GlobalTable ${persons()}: is no longer in the stack: it stays in the account, unused`,
    ]);
  });

  test('a removed queue with its messages, and a removed API with its address', () => {
    const queue = idOf('AWS::SQS::Queue', 'retry');
    expect(lossesOf(queue, () => undefined)).toEqual([
      `${stack} SQS Queue ${queue}: is no longer in the stack: it is deleted with its data`,
    ]);
    expect(lossesOf(idOf('AWS::ApiGateway::RestApi', 'rest'), () => undefined)).toHaveLength(1);
  });

  test('a table whose keys change, and a secret that would get a new value', () => {
    const KeySchema = [{ AttributeName: 'other', KeyType: 'HASH' }];
    const rekeyed = altered(persons(), (one) => ({ ...one, properties: { ...one.properties, KeySchema } }));
    expect(findLosses(now, rekeyed)).toEqual([
      `${data} DynamoDB GlobalTable ${persons()}: a different KeySchema creates a new, empty resource instead`,
    ]);
    const secret = idOf('AWS::SecretsManager::Secret', 'naming');
    const redrawn = altered(secret, (it) => ({ ...it, properties: { GenerateSecretString: { PasswordLength: 32 } } }));
    expect(findLosses(now, redrawn)).toEqual([
      expect.stringContaining(`${secret}: a different GenerateSecretString creates`),
    ]);
  });

  test('a resource that was retained before but would now be deleted with the stack', () => {
    const bucket = idOf('AWS::S3::Bucket', 'documents');
    expect(lossesOf(bucket, (one) => ({ ...one, isRetained: false }))).toEqual([
      `${data} S3 Bucket ${bucket}: would be deleted with the stack, but was retained before`,
    ]);
  });

  test('two index changes to one table in one update, but not a single change', () => {
    const { byName, ...others } = { byName: undefined, ...indexes(now[data]?.[persons()] as ResourceExcerpt) };
    expect(byName).toBeTruthy();
    const without = altered(persons(), (one) => ({ ...one, indexes: others }));
    expect(findLosses(now, without)).toEqual([]);
    expect(findLosses(without, now)).toEqual([]);
    const exchanged = altered(persons(), (one) => ({ ...one, indexes: { ...others, byMiddleName: byName } }));
    expect(findLosses(now, exchanged)).toEqual([
      expect.stringMatching(/: adds byMiddleName, removes byName: change only one index per deployment/),
    ]);
  });

  test('an index whose projection changes', () => {
    const changed = { ...indexes(now[data]?.[persons()] as ResourceExcerpt), byName: { Projection: 'ALL' } };
    expect(lossesOf(persons(), (one) => ({ ...one, indexes: changed }))).toEqual([
      expect.stringMatching(/: index byName changes its keys or projection, which is not possible/),
    ]);
  });

  test('a name that another resource takes over', () => {
    const set = idOf('AWS::SES::ConfigurationSet', 'set');
    const resources = altered(set, () => undefined)[stack];
    const renamed = { ...now, [stack]: { ...resources, other: now[stack]?.[set] as ResourceExcerpt } };
    expect(findLosses(now, renamed)).toContain(
      `${stack} other: has the name identity-registry-prod of ${set}, which is still taken at that time`,
    );
  });
});

const row = 'taskRow of the table deliveries';

test('the templates contain the schemas of rows and payloads for all stores and workers', () => {
  expect(Object.keys(current.schemas)).toEqual(expect.arrayContaining([row, 'the payload of fanOut']));
});

test('schema changes are reported if the previous release cannot read new data, even if the update loses nothing', () => {
  const properties = {
    ...(current.schemas[row]?.properties as object),
    state: { type: 'string', enum: ['leased', 'recorded', 'put off'] },
  };
  const after = { ...current, schemas: { ...current.schemas, [row]: { ...current.schemas[row], properties } } };
  const line = `the previous release cannot read new data: ${row}: state may be put off`;
  expect(changes(current, after)).toEqual({ lost: [], lostByRollback: [line] });
  expect(changes(after, current)).toEqual({
    lost: [`this release cannot read existing data: ${row}: state may be put off`],
    lostByRollback: [],
  });
});

test('an earlier deployment may have no schemas', () => {
  expect(changes({ ...current, schemas: {} }, current)).toEqual({ lost: [], lostByRollback: [] });
});
