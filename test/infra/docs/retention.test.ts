import { expect, test } from 'vitest';
import { type Days, daysOf } from '../../../infra/docs/retention/days.ts';
import { retention } from '../../../infra/docs/retention/retention.ts';
import { readDeploymentSettings, settings } from '../../../infra/settings/settings.ts';
import { buckets } from '../../../shared/contract/buckets.ts';
import { queues } from '../../../shared/contract/queue-names.ts';
import { type Table, tables } from '../../../shared/contract/tables.ts';
import { everySetting } from '../../harness/every-setting.ts';
import { type Properties, type Resource, synthesizeTemplate } from '../../harness/template.ts';

const given = {
  ...{ importDays: '20', deliveryDays: '7', journalDays: '90', journalLockDays: '1234', logRetentionDays: '30' },
  ...{ documentVersionDays: '60', backupDays: '20' },
};
const template = await synthesizeTemplate({ ...everySetting, ...given });
const stacks = [template, ...Object.values(template.beside)];
const ofType = (type: string): Resource[] => stacks.flatMap((stack) => stack.ofType(type));

const inForce = readDeploymentSettings((name) => given[name as keyof typeof given] ?? settings[name].default);
const inDays = (days: Days | undefined) => (days === undefined ? undefined : daysOf(days, inForce));

const rowsOf = (table: string) => retention.filter(({ at }) => 'table' in at && at.table === table);
const objectsOf = (prefix: string, isOld: boolean) =>
  retention.filter(({ at }) => 'bucket' in at && at.prefix === prefix && (at.isOld ?? false) === isOld);
const inAws = (where: string) => retention.filter(({ at }) => 'aws' in at && at.aws === where);

test.each(ofType('AWS::DynamoDB::GlobalTable'))(
  'the list of stored data contains the table $name, whose rows have a TTL only if they have a retention period',
  (table) => {
    const rows = rowsOf(table.name);
    expect(rows).not.toEqual([]);
    const { AttributeName, Enabled } = table.properties.TimeToLiveSpecification ?? {};
    const attribute = (tables as Readonly<Record<string, Table>>)[table.name]?.expiresAt;
    const expires = rows.some(({ days }) => days !== undefined);
    expect([AttributeName, Enabled]).toEqual(expires ? [attribute, true] : [undefined, undefined]);
  },
);

test.each(ofType('AWS::Logs::LogGroup'))('the list of stored data contains the log $name', ({ properties }) => {
  expect(inAws('logs').map(({ days }) => inDays(days))).toEqual([properties.RetentionInDays]);
});

const rules = ofType('AWS::S3::Bucket')
  .flatMap(({ properties }) => properties.LifecycleConfiguration.Rules as Properties[])
  .filter((rule) => rule.Status === 'Enabled');
const daysIn = (prefix: string, read: (rule: Properties) => number | undefined): (number | undefined)[] =>
  rules.filter((rule) => rule.Prefix === prefix && rule.TagFilters === undefined).flatMap((rule) => read(rule) ?? []);
const prefixes = Object.values(buckets).flatMap((bucket) => Object.values<string>(bucket));

test.each(prefixes)('the list of stored data agrees with the lifecycle rules for the prefix %s', (prefix) => {
  for (const [isOld, read] of [
    [false, (rule: Properties) => rule.ExpirationInDays],
    [true, (rule: Properties) => rule.NoncurrentVersionExpiration?.NoncurrentDays],
  ] as const) {
    const kept = objectsOf(prefix, isOld);
    expect(kept).toHaveLength(1);
    expect(kept.flatMap(({ days }) => inDays(days) ?? [])).toEqual(daysIn(prefix, read));
  }
});

test('the list of stored data contains exactly the existing prefixes and queues, including every prefix with a lifecycle rule', () => {
  expect(ofType('AWS::S3::Bucket')).toHaveLength(Object.keys(buckets).length);
  const named = new Set(retention.flatMap(({ at }) => ('bucket' in at ? [at.prefix] : [])));
  expect([...named].toSorted()).toEqual(prefixes.toSorted());
  expect(rules.flatMap(({ Prefix }) => Prefix ?? []).filter((prefix) => !prefixes.includes(prefix))).toEqual([]);
  const inQueues = retention.flatMap(({ at }) => ('queues' in at ? at.queues : []));
  expect(inQueues.toSorted()).toEqual(Object.keys(queues).toSorted());
  expect(new Set(ofType('AWS::DynamoDB::GlobalTable').map(({ name }) => name))).toEqual(new Set(Object.keys(tables)));
});

test('the list of stored data covers every type of resource that stores data', () => {
  const keeping =
    /^AWS::(?:DynamoDB|S3|SQS|Logs|SecretsManager|Kinesis|KinesisFirehose|RDS|EFS|OpenSearchService|Backup|Timestream)::/;
  const types = new Set(stacks.flatMap(({ types }) => types).filter((type) => keeping.test(type)));
  const names = [
    ...['Backup::BackupPlan', 'Backup::BackupSelection', 'Backup::BackupVault', 'DynamoDB::GlobalTable'],
    ...['Logs::LogGroup', 'S3::Bucket', 'S3::BucketPolicy', 'SQS::Queue', 'SQS::QueuePolicy'],
    ...['SecretsManager::ResourcePolicy', 'SecretsManager::Secret'],
  ].map((name) => `AWS::${name}`);
  expect(types).toEqual(new Set(names));
  const [plan] = ofType('AWS::Backup::BackupPlan');
  const { DeleteAfterDays } = plan?.properties.BackupPlan.BackupPlanRule[0].Lifecycle ?? {};
  expect(inAws('vault').map(({ days }) => inDays(days))).toEqual([DeleteAfterDays]);
  for (const where of ['secrets', 'metrics', 'traces', 'suppressionList']) expect(inAws(where)).toHaveLength(1);
});
