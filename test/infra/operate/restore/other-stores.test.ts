import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, ListQueueTagsCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { awsAccess } from '../../../harness/aws-access.ts';
import { useDynamodb, useSqs } from '../../../harness/embedded.ts';
import type { Properties } from '../../../harness/template.ts';
import {
  deploymentLifting,
  failure,
  Killed,
  type RecordedStage,
  type Respond,
  record,
  recordedStage,
  stack,
} from './recorded-stage.ts';

const dynamodb = useDynamodb();
const sqs = useSqs();
const folder = mkdtempSync(join(tmpdir(), 'restore-'));
afterAll(() => rmSync(folder, { recursive: true }));

let stage: RecordedStage;
beforeEach(async () => {
  stage = await recordedStage(dynamodb);
});

interface ObjectVersion extends Properties {
  readonly Key: string;
  readonly VersionId: string;
  readonly LastModified: Date;
  readonly ETag?: string;
}

const version = (Key: string, at: string, ETag?: string): ObjectVersion => ({
  ...{ Key, VersionId: `${Key}-${at}`, LastModified: new Date(at), Size: 1 },
  ...(ETag !== undefined && { ETag }),
});

/** Replaces S3 with a fake bucket that lists its versions two per page. */
function withVersions(versions: ObjectVersion[]) {
  const client = record(
    new S3Client(awsAccess),
    {
      HeadBucket: ({ Bucket }) => (Bucket === 'documents' ? {} : Promise.reject(failure('NotFound'))),
      ListObjectVersions: ({ Prefix, KeyMarker = '0' }) => {
        const all = versions
          .filter(({ Key }) => Key.startsWith(Prefix))
          .toSorted((a, b) => a.Key.localeCompare(b.Key, 'en') || Number(b.LastModified) - Number(a.LastModified))
          .map((one, index, sorted) => ({ ...one, IsLatest: sorted[index - 1]?.Key !== one.Key }));
        const [from, to] = [Number(KeyMarker), Number(KeyMarker) + 2];
        const page = all.slice(from, to);
        return {
          Versions: page.filter(({ ETag }) => ETag !== undefined),
          DeleteMarkers: page.filter(({ ETag }) => ETag === undefined),
          IsTruncated: to < all.length,
          ...(to < all.length && { NextKeyMarker: String(to), NextVersionIdMarker: 'a' }),
        };
      },
      CopyObject: ({ Key, CopySource }) => {
        const [, id] = decodeURIComponent(CopySource).split('?versionId=');
        const copied = versions.find(({ VersionId }) => VersionId === id);
        return versions.push(version(Key, '2026-11-25T00:00:00Z', String(copied?.ETag))) && {};
      },
    },
    stage.interruption,
  );
  Object.assign(stage.tools.clients, { s3: client });
  stage.outputs.set('documentsBucket', 'documents');
}

test('restore recovers deleted and overwritten objects from their versions and keeps newer objects', async () => {
  const [before, since] = ['2026-11-20T00:00:00Z', '2026-11-23T00:00:00Z'];
  const versions = [
    ...[version('documents/1/é b', before, 'old'), version('documents/1/é b', since)],
    ...[version('documents/2/a', before, 'old'), version('documents/2/a', since, 'new')],
    ...[version('documents/3/a', before, 'same'), version('documents/4/a', since, 'new')],
    // Deleted before that moment.
    ...[version('documents/5/a', '2026-11-01T00:00:00Z', 'older'), version('documents/5/a', before)],
    ...[version('messages/1', before, 'old'), version('messages/1', since)],
    ...[version('imports/a.csv', before, 'old'), version('imports/a.csv', since)],
  ];
  withVersions(versions);
  const asked = ['documents', '--to', '2026-11-22T10:00:00Z'];
  const step = 'restore 2 deleted and 1 overwritten objects below documents/ and messages/';
  expect((await stage.restore(...asked, '--dry-run'))[1]).toBe(`  1. ${step}`);
  stage.interruption.killAfter = 1;
  await expect(stage.restore(...asked)).rejects.toThrow(Killed);
  stage.interruption.killAfter = undefined;
  await stage.restore(...asked);
  const restored = versions.slice(12).map(({ Key, ETag }) => [Key, ETag]);
  expect(restored).toEqual([
    ['documents/1/é b', 'old'],
    ['documents/2/a', 'old'],
    ['messages/1', 'old'],
  ]);
  expect((await stage.restore(...asked)).at(-1)).toBe('Every step is done.');
  await expect(stage.restore('documents', '--to', '2999-01-01T00:00:00Z')).rejects.toThrow('must be in the past');
  stage.outputs.set('documentsBucket', 'lost');
  await expect(stage.restore(...asked)).rejects.toThrow('a lost bucket needs a restored copy: name it with --use');
});

/** Replaces S3 with buckets that store their own settings. */
function withBucketSettings(...ignored: string[]) {
  const kept = new Map<string, Properties>();
  const setting = (name: string, field: string, read = field): Record<string, Respond> => ({
    [`Put${name}`]: (input) => (ignored.includes(name) ? {} : kept.set(name, input[field]) && {}),
    [`Get${name}`]: () => {
      const value = kept.get(name);
      if (value === undefined) throw failure('NoSuchConfiguration');
      return read === '' ? value : { [read]: value };
    },
  });
  const responses = {
    HeadBucket: ({ Bucket }: Properties) => (Bucket === 'restored' ? {} : Promise.reject(failure('NotFound'))),
    ...setting('BucketVersioning', 'VersioningConfiguration', ''),
    ...setting('ObjectLockConfiguration', 'ObjectLockConfiguration'),
    ...setting('PublicAccessBlock', 'PublicAccessBlockConfiguration'),
    ...setting('BucketEncryption', 'ServerSideEncryptionConfiguration'),
    ...setting('BucketPolicy', 'Policy'),
    ...setting('BucketLifecycleConfiguration', 'LifecycleConfiguration', ''),
    ...setting('BucketTagging', 'Tagging', ''),
    ...setting('BucketNotificationConfiguration', 'NotificationConfiguration', ''),
  };
  Object.assign(stage.tools.clients, { s3: record(new S3Client(awsAccess), responses, stage.interruption) });
  return kept;
}

test('restore applies the settings in the template to a restored bucket, which then replaces the lost bucket', async () => {
  const kept = withBucketSettings();
  stage.outputs.set('documentsBucket', 'lost');
  const notifications = { QueueConfigurations: [{ QueueArn: 'arn', Events: ['s3:ObjectCreated:*'] }] };
  stage.outputs.set('documentsNotifications', JSON.stringify(notifications));
  await stage.restore('documents', '--use', 'restored');
  expect([stage.named, stage.invoked]).toEqual([['documents=restored'], ['indexDocuments']]);
  expect(stage.deployments).toEqual([deploymentLifting('bucketsdocuments')]);
  expect(kept.get('PublicAccessBlock')).toEqual({
    ...{ BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
  });
  const [secure, tls] = JSON.parse(String(kept.get('BucketPolicy'))).Statement;
  expect(secure).toMatchObject({ Effect: 'Deny', Resource: ['arn:aws:s3:::restored', 'arn:aws:s3:::restored/*'] });
  expect(tls).toMatchObject({ Effect: 'Deny' });
  const rules = kept.get('BucketLifecycleConfiguration')?.Rules as Properties[];
  expect(rules.map(({ ID }) => ID)).toContain('renditions');
  expect(rules.find(({ ID }) => ID === 'failures')).toEqual({
    ...{ ID: 'failures', Status: 'Enabled', Expiration: { Days: 1 } },
    Filter: { And: { Prefix: 'renditions/', Tags: [{ Key: 'lifetime', Value: 'day' }] } },
  });
  expect(kept.get('BucketVersioning')).toEqual({ Status: 'Enabled' });
  expect(kept.get('BucketNotificationConfiguration')).toEqual(notifications);
  await expect(stage.restore('documents', '--use', 'none')).rejects.toThrow('--use: no bucket has the name none');
});

test('restore does not use a restored bucket that lacks settings in the template', async () => {
  const kept = withBucketSettings('BucketPolicy', 'ObjectLockConfiguration');
  const restoring = stage.restore('exportedJournal', '--use', 'restored');
  await expect(restoring).rejects.toThrow('restored cannot be used: it lacks object lock, policy');
  expect([kept.get('BucketVersioning'), stage.named]).toEqual([{ Status: 'Enabled' }, []]);
});

/** Replaces Secrets Manager with these secrets. */
function withSecrets(secrets: Record<string, Properties>) {
  const found = (id: string) => secrets[id] ?? Promise.reject(failure('ResourceNotFoundException'));
  const responses: Record<string, Respond> = {
    DescribeSecret: ({ SecretId }) => found(SecretId),
    RestoreSecret: ({ SecretId }) => ({ is: delete secrets[SecretId]?.DeletedDate }),
    GetRandomPassword: ({ PasswordLength }) => ({ RandomPassword: 'r'.repeat(PasswordLength) }),
    CreateSecret: ({ Name, ...secret }) => {
      secrets[Name] = { ARN: `arn:${Name}`, ...secret };
      return {};
    },
    GetResourcePolicy: async ({ SecretId }) => ({ ResourcePolicy: (await found(SecretId)).ResourcePolicy }),
    PutResourcePolicy: ({ SecretId, ResourcePolicy }) => Object.assign(secrets[SecretId] ?? {}, { ResourcePolicy }),
  };
  const client = record(new SecretsManagerClient(awsAccess), responses, stage.interruption);
  Object.assign(stage.tools.clients, { secrets: client });
  return secrets;
}

test('restore recovers a deleted secret as long as AWS keeps it, and changes nothing else', async () => {
  stage.outputs.set('signingSecret', 'arn:signing');
  const secrets = withSecrets({ 'arn:signing': { ARN: 'arn:signing', DeletedDate: new Date() } });
  await stage.restore('signing');
  expect([secrets, stage.named]).toEqual([{ 'arn:signing': { ARN: 'arn:signing' } }, []]);
  expect((await stage.restore('signing')).at(-1)).toBe('Every step is done.');
  const file = join(folder, 'unused');
  await expect(stage.restore('signing', '--value', file)).rejects.toThrow('--value: arn:signing still has its value');
});

test('restore recreates a lost secret with its policy and the value in a file, even if the command is interrupted', async () => {
  const file = join(folder, 'value');
  writeFileSync(file, 'from-the-safe\n');
  stage.outputs.set('namingSecret', 'arn:lost');
  const secrets = withSecrets({});
  for (const killAfter of [1, 2]) {
    stage.interruption.killAfter = killAfter;
    await expect(stage.restore('naming', '--value', file)).rejects.toThrow(Killed);
  }
  stage.interruption.killAfter = undefined;
  await stage.restore('naming', '--value', file);
  const name = `${stack}-naming-restored`;
  expect(Object.keys(secrets)).toEqual([name]);
  expect(secrets[name]).toMatchObject({ SecretString: 'from-the-safe', Tags: [{ Key: 'service' }, { Key: 'stage' }] });
  const [statement] = JSON.parse(secrets[name]?.ResourcePolicy).Statement;
  expect(statement).toMatchObject({ Effect: 'Deny' });
  expect(statement.Action).toContain('secretsmanager:DeleteSecret');
  expect(stage.named).toEqual([`naming=arn:${name}`]);
  expect(stage.deployments).toEqual([deploymentLifting('secretsnaming')]);
});

test('restore generates a random value for a lost secret if no value is given', async () => {
  stage.outputs.set('signingSecret', 'arn:lost');
  const secrets = withSecrets({});
  await stage.restore('signing');
  expect(secrets[`${stack}-signing-restored`]?.SecretString).toBe('r'.repeat(64));
});

test.each([
  ['retry', ['wait']],
  ['imports', ['importChanges']],
  ['documentEvents', ['linkDocuments']],
  ['mailFeedbackDeadLetters', []],
])('restore recreates a lost queue with its name, attributes and policy: %s', async (name, workers) => {
  const { client, server } = sqs;
  const queues = stage.queueIds;
  for (const id of queues) server.createQueue(id, { region: awsAccess.region });
  const lost = queues.find((id) => id.replace(/[0-9A-F]{8}$/, '') === `queues${name}`) ?? '';
  const QueueUrl = stage.urlOf(lost);
  const embedded = new SQSClient({ ...awsAccess, endpoint: sqs.endpoint, useQueueUrlAsEndpoint: false });
  let rejections = 2;
  let isLost = true;
  const gone = failure('QueueDoesNotExist');
  const responses: Record<string, Respond> = {
    GetQueueAttributes: () => (isLost ? Promise.reject(gone) : undefined),
    CreateQueue: async ({ QueueName }) => {
      rejections -= 1;
      if (rejections >= 0) throw failure('QueueDeletedRecently');
      expect(QueueName).toBe(lost);
      isLost = false;
      return {};
    },
  };
  Object.assign(stage.tools.clients, { sqs: record(embedded, responses, stage.interruption) });
  const lines = await stage.restore(name);
  const released = [...lines.join('\n').matchAll(/let (.*) read the queue/g)].map(([, names]) => names);
  expect(new Set(released)).toEqual(new Set(workers));
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  const { Attributes = {} } = await embedded.send(asked);
  expect(Attributes).toMatchObject({ MessageRetentionPeriod: '1209600', SqsManagedSseEnabled: 'true' });
  if (!name.endsWith('DeadLetters'))
    expect(JSON.parse(Attributes.RedrivePolicy ?? '{}')).toEqual({
      ...{ maxReceiveCount: 50, deadLetterTargetArn: expect.stringContaining(`queues${name}DeadLetters`) },
    });
  expect(JSON.parse(Attributes.Policy ?? '{}').Statement).toBeInstanceOf(Array);
  expect(Attributes.Policy).not.toMatch(/Fn::|"Ref"/);
  expect((await stage.restore(name)).at(-1)).toBe('Every step is done.');
  expect(await client.send(new ListQueueTagsCommand({ QueueUrl }))).toBeDefined();
});
