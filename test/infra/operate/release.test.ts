import { beforeAll, expect, test } from 'vitest';
import type { RawResource, RawTemplate } from '../../../infra/operate/release/assembly-stacks.ts';
import { changes, type Release } from '../../../infra/operate/release/changes.ts';
import { type Excerpt, excerptOf } from '../../../infra/operate/release/excerpt.ts';
import { findLosses } from '../../../infra/operate/release/find-losses.ts';
import { currentRelease, lastRelease } from '../../../infra/operate/release/releases.ts';

let current: Release;
beforeAll(async () => {
  current = await currentRelease();
});

const stack = 'IdentityRegistry-prod';

test('an update from the last release to this release loses no data (otherwise deploy in steps, and run npm run release)', () => {
  expect(changes(lastRelease(), current)).toEqual({ lost: [], lostByRollback: [] });
});

test('an update loses the restored table if the setting restored is missing or names another table', async () => {
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => currentRelease({ restored: `persons=${name}` })),
  );
  const lost = [`${stack} personsTable: first is no longer used: name it in the setting restored`];
  expect(changes(first as Release, first as Release).lost).toEqual([]);
  for (const after of [current, second as Release]) expect(changes(first as Release, after).lost).toEqual(lost);
});

test.each([
  ...['DynamoDB::GlobalTable TableName KeySchema', 'S3::Bucket BucketName', 'SQS::Queue QueueName FifoQueue'],
  ...['SecretsManager::Secret Name GenerateSecretString', 'SES::ConfigurationSet Name', 'ApiGateway::RestApi'],
  ...['ApiGateway::Stage StageName', 'ApiGateway::DomainName DomainName', 'Cognito::UserPoolClient GenerateSecret'],
  ...['Cognito::UserPool AliasAttributes UsernameAttributes', 'EC2::EIP'],
])('the release file contains each resource with the properties whose change replaces it: %s', (text) => {
  const [type, ...names] = text.split(' ');
  const properties = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const one = { Type: `AWS::${type}`, Properties: { ...properties, Tags: [] }, DeletionPolicy: 'RetainExceptOnCreate' };
  expect(excerptOf({ Resources: { one } })).toMatchObject({ one: { type: one.Type, isRetained: true, properties } });
});

test('a production release includes every table, bucket, secret, queue, key, log and API', () => {
  const types = [stack, `${stack}-Data`].flatMap((name) => Object.values(current.stacks[name] ?? {}));
  const names = [
    ...['ApiGateway::RestApi', 'ApiGateway::Stage', 'DynamoDB::GlobalTable', 'KMS::Key', 'Logs::LogGroup'],
    ...['S3::Bucket', 'SES::ConfigurationSet', 'SQS::Queue'],
    ...['SecretsManager::ResourcePolicy', 'SecretsManager::Secret'],
  ].map((name) => `AWS::${name}`);
  expect(new Set(types.map(({ type }) => type))).toEqual(new Set([...names, 'Functions::settings']));
});

test('the comparison of releases reports each retention period that an update shortens', async () => {
  const names = ['documentVersionDays', 'deliveryDays', 'journalDays', 'importDays', 'journalLockDays'];
  const lowered = await currentRelease(Object.fromEntries([...names, 'logRetentionDays'].map((name) => [name, '1'])));
  const { lost } = changes(current, lowered);
  for (const line of [
    'old versions below "documents/": deleted after 1 day instead of never',
    'objects below "messages/": deleted after 16 days instead of 45 days',
    'objects below "imports/": deleted after 1 day instead of 30 days',
    'the lock of new objects covers 1 day instead of 400 days',
    'objects below "journal/": deleted after 1 day instead of 400 days',
    'log lines: deleted after 1 day instead of 365 days',
    'rows (deliveryDays): deleted after 1 day instead of 30 days',
    'rows (journalDays): deleted after 1 day instead of 400 days',
    'rows (importDays): deleted after 1 day instead of 30 days',
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
const days = { ExpirationInDays: 9 };
const newest = (NewerNoncurrentVersions: number) =>
  lifecycle({ NoncurrentVersionExpiration: { NoncurrentDays: 9, NewerNoncurrentVersions } });
const ttl = (AttributeName: string) => ({ TimeToLiveSpecification: { Enabled: true, AttributeName } });

const index = (IndexName: string, ProjectionType = 'KEYS_ONLY') => ({ IndexName, Projection: { ProjectionType } });
const indexes = (...GlobalSecondaryIndexes: object[]) => ({ GlobalSecondaryIndexes });
const drawn = (PasswordLength: number) => ({ GenerateSecretString: { PasswordLength } });
const sse = (KMSMasterKeyId: string) => ({ SSESpecification: { KMSMasterKeyId } });
const bucketKey = (KMSMasterKeyID: string) => ({
  BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { KMSMasterKeyID } }] },
});
const warm = (writes: number) => ({ WarmThroughput: { WriteUnitsPerSecond: writes, ReadUnitsPerSecond: 3 * writes } });
const vaultLock = (MinRetentionDays: number, ChangeableForDays?: number) => ({
  LockConfiguration: { MinRetentionDays, ...(ChangeableForDays && { ChangeableForDays }) },
});
const plan = (DeleteAfterDays?: number, ...copies: string[]) => {
  const CopyActions = copies.map((DestinationBackupVaultArn) => ({ DestinationBackupVaultArn }));
  return { BackupPlan: { BackupPlanRule: [{ RuleName: 'daily', Lifecycle: { DeleteAfterDays }, CopyActions }] } };
};
const selection = (...ids: string[]) => ({
  BackupSelection: { Resources: ids.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })) },
});
const denial = (...Action: string[]) => ({ ResourcePolicy: { Statement: [{ Effect: 'Deny', Action }] } });
const redrive = (maxReceiveCount: number) => ({ RedrivePolicy: { maxReceiveCount } });
const scopes = (...names: string[]) => ({ Scopes: names.map((ScopeName) => ({ ScopeName })) });

/** Returns the losses caused by an update that changes the template of the only stack from `before` to `after`. */
const lossesOf = (...templates: [before: RawTemplate['Resources'], after: RawTemplate['Resources']]) => {
  const [before, after] = templates.map((Resources) => ({ a: excerptOf({ Resources }) }));
  return findLosses(before as Excerpt, after as Excerpt);
};

test.each<[type: string, before: Properties, after: Properties, loss: string]>([
  ['DynamoDB::Table', pitr(), {}, 'point-in-time recovery is switched off or removed'],
  ['DynamoDB::Table', pitr(), pitr(7), 'point-in-time recovery covers 7 days instead of 35'],
  ['DynamoDB::Table', { DeletionProtectionEnabled: true }, {}, 'deletion protection is switched off or removed'],
  ['DynamoDB::Table', {}, ttl('at'), 'a different time-to-live attribute can delete data'],
  ['DynamoDB::GlobalTable', ttl('at'), ttl('until'), 'a different time-to-live attribute can delete data'],
  [
    'DynamoDB::GlobalTable',
    replicas(one),
    replicas({ ...one, ...pitr(1) }),
    'point-in-time recovery covers 1 day instead',
  ],
  ['DynamoDB::GlobalTable', replicas(one, other), replicas(one, one), 'the replica in "eu-west-3" is switched off'],
  ['S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }, {}, 'versioning is switched off or removed'],
  ['S3::Bucket', { ObjectLockEnabled: true }, {}, 'Object Lock is switched off or removed'],
  ['S3::Bucket', lock('GOVERNANCE', { Years: 1 }), lock('COMPLIANCE', { Days: 9 }), 'covers 9 days instead of 365'],
  ['S3::Bucket', lock('COMPLIANCE', { Days: 9 }), lock('GOVERNANCE', { Days: 9 }), 'the lock mode COMPLIANCE is'],
  ['S3::Bucket', lifecycle({ Prefix: 'a', ...days }), lifecycle(days), 'objects below ""'],
  ['S3::Bucket', {}, lifecycle({ ExpirationDate: '2027-01-01' }), 'objects below "": deleted after 0 days'],
  ['S3::Bucket', newest(5), newest(1), 'a different number of old versions that are kept below ""'],
  ['SQS::Queue', {}, { MessageRetentionPeriod: 86_400 }, 'messages: deleted after 1 day instead of 4 days'],
  ['Logs::LogGroup', {}, { RetentionInDays: 365 }, 'log lines: deleted after 365 days instead of never'],
  ['DynamoDB::GlobalTable', replicas(sse('a')), replicas(sse('b')), 'a different key: keep the previous key'],
  ['S3::Bucket', bucketKey('a'), {}, 'a different key'],
  ['SQS::Queue', {}, { KmsMasterKeyId: 'a' }, 'a different key'],
  ['SecretsManager::Secret', { KmsKeyId: 'a' }, { KmsKeyId: 'b' }, 'a different key'],
  ['Logs::LogGroup', { KmsKeyId: 'a' }, {}, 'a different key'],
  ['DynamoDB::GlobalTable', warm(8000), warm(6000), 'warm writes fall from 8000 to 6000, which AWS rejects'],
  ['DynamoDB::GlobalTable', indexes({ ...index('i'), ...warm(8) }), indexes(index('i')), 'warm reads of the index i'],
  ['DynamoDB::GlobalTable', indexes(index('i')), indexes(index('i', 'ALL')), 'index i changes its keys'],
  ['DynamoDB::GlobalTable', { KeySchema: ['a'] }, { KeySchema: ['b'] }, 'a different KeySchema creates a new, empty'],
  ['SecretsManager::Secret', drawn(64), drawn(32), 'a different GenerateSecretString creates'],
  ['Backup::BackupVault', { EncryptionKeyArn: 'a' }, {}, 'a different EncryptionKeyArn creates a new, empty resource'],
  ['Backup::BackupVault', vaultLock(9, 3), vaultLock(7), 'the lock of backups covers 7 days instead of 9'],
  ['Backup::BackupVault', vaultLock(9, 3), vaultLock(9), 'the lock mode COMPLIANCE is switched off'],
  ['Backup::BackupPlan', plan(9), plan(7), 'the backup rule daily covers 7 days instead of 9 days'],
  ['Backup::BackupPlan', plan(), plan(7), 'the backup rule daily covers 7 days instead of all time'],
  ['Backup::BackupPlan', plan(9), {}, 'the backup rule daily is switched off or removed'],
  ['Backup::BackupPlan', plan(9, 'a', 'b'), plan(9, 'a'), 'the copy of the backup rule daily to b is switched off or'],
  ['Backup::BackupSelection', selection('a', 'b'), selection('a'), 'the backup of b is switched off or removed'],
  ['SecretsManager::ResourcePolicy', denial('a', 'b'), denial('a'), 'the denial of b is switched off or removed'],
  ['SQS::Queue', redrive(50), {}, 'the dead-letter queue is switched off or removed'],
  ['SQS::Queue', redrive(50), redrive(1), 'messages move to the dead-letter queue after 1 attempt instead of 50'],
  ['Cognito::UserPoolResourceServer', scopes('a', 'b'), scopes('a'), 'the scope b is switched off or removed'],
  [
    'Cognito::UserPoolClient',
    { GenerateSecret: true },
    {},
    'replaces the resource: its client id and secret no longer',
  ],
  ['Cognito::UserPoolDomain', { Domain: 'a' }, { Domain: 'b' }, 'a different Domain replaces the resource: clients'],
  ['KMS::Key', { KeyPolicy: {} }, { KeyPolicy: { Statement: [] } }, 'a different key policy can delete data'],
  ['KMS::Key', {}, { Enabled: false }, 'the key is switched off or removed'],
  ['KMS::Key', {}, { PendingWindowInDays: 7 }, 'the key and all that it encrypts: deleted after 7 days instead of 30'],
  ['Cognito::UserPool', { DeletionProtection: 'ACTIVE' }, {}, 'deletion protection is switched off or removed'],
])('the comparison of releases reports that a %s has changed from %j to %j', (type, before, after, loss) => {
  const one = (Properties: Properties) => ({ b: { Type: `AWS::${type}`, Properties } });
  expect(lossesOf(one(before), one(after))).toContainEqual(expect.stringContaining(loss));
  expect(lossesOf(one(before), one(before))).toEqual([]);
});

test('the comparison of releases accepts the removal of a retained log group but reports a changed type', () => {
  const [logs, b] = [{ Type: 'AWS::Logs::LogGroup', DeletionPolicy: 'Retain' }, { Type: 'AWS::DynamoDB::Table' }];
  expect(lossesOf({ logs, b }, { b: { Type: 'AWS::DynamoDB::GlobalTable' } })).toEqual([
    'a DynamoDB Table b: its type becomes AWS::DynamoDB::GlobalTable, which CloudFormation rejects',
  ]);
});

test('the comparison of releases reports removed resources and whether their data is deleted', () => {
  const DeletionPolicy = 'RetainExceptOnCreate';
  const table = { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy };
  const [api, backup] = [{ Type: 'AWS::ApiGateway::RestApi' }, { Type: 'AWS::Backup::BackupSelection' }];
  expect(lossesOf({ api, backup, queue: { Type: 'AWS::SQS::Queue' }, table }, {})).toEqual([
    'a ApiGateway RestApi api: is no longer in the stack: the resource is deleted with its data',
    'a Backup BackupSelection backup: is no longer in the stack: new data is not backed up',
    'a SQS Queue queue: is no longer in the stack: the resource is deleted with its data',
    'a DynamoDB GlobalTable table: is no longer in the stack: the resource stays in the account, unused',
  ]);
  expect(lossesOf({ table }, { table: { ...table, DeletionPolicy: 'Delete' } })).toEqual([
    'a DynamoDB GlobalTable table: would be deleted with the stack, but was retained before',
  ]);
});

test('the comparison of releases accepts one index change per table, and reports a name that is still in use', () => {
  const indexed = (...names: string[]) => ({
    table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: indexes(...names.map((name) => index(name))) },
  });
  expect(lossesOf(indexed('one'), indexed('one', 'two'))).toEqual([]);
  expect(lossesOf(indexed('one', 'two'), indexed('one'))).toEqual([]);
  expect(lossesOf(indexed('one', 'two'), indexed('one', 'three'))).toEqual([
    expect.stringMatching(/: adds three, removes two: change only one index per deployment/),
  ]);
  const set = { Type: 'AWS::SES::ConfigurationSet', Properties: { Name: 'registry' } };
  expect(lossesOf({ set }, { other: set })).toContain(
    'a other: has the name registry of set, which is still taken at that time',
  );
});

const row = 'taskRow of the table deliveries';

test('the release contains the schemas of the rows and payloads of all stores and workers', () => {
  expect(Object.keys(current.schemas)).toEqual(expect.arrayContaining([row, 'the payload of fanOut']));
});

test('the comparison of releases reports a changed schema if the previous release cannot read new data', () => {
  const properties = {
    ...(current.schemas[row]?.properties as object),
    state: { type: 'string', enum: ['leased', 'recorded', 'put off'] },
  };
  const after = { ...current, schemas: { ...current.schemas, [row]: { ...current.schemas[row], properties } } };
  const line = `the previous release cannot read new data: ${row}: state may be put off`;
  expect(changes(current, after)).toEqual({ lost: [], lostByRollback: [line] });
  const lost = [`this release cannot read existing data: ${row}: state may be put off`];
  expect(changes(after, current)).toEqual({ lost, lostByRollback: [] });
});

test('the comparison of releases accepts a deployed release that has no schemas', () => {
  expect(changes({ ...current, schemas: {} }, current)).toEqual({ lost: [], lostByRollback: [] });
});
