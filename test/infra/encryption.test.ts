import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { readAccess, readFunctionGrants } from '../../infra/local/aws/template/access.ts';
import { openStack, type Stack } from '../../infra/local/aws/template/stack.ts';
import { readTemplate, type Template, type TemplateResource } from '../../infra/local/aws/template/template.ts';
import { assemblyStacks } from '../../infra/operate/release/assembly-stacks.ts';
import type { Properties } from '../harness/template.ts';

const copyVault = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:registry';
const outdir = await mkdtemp(join(tmpdir(), 'encryption-'));
const settings = { keyArn: 'make', waf: 'true', backupDays: '35', backupCopyVaultArn: copyVault };
const assembly = await synthesizeWithoutCode({ outdir, ...settings });
const stacks = await assemblyStacks(assembly.directory);
const template = readTemplate(assembly);
await rm(outdir, { recursive: true });

const resources = stacks.flatMap((stack) =>
  Object.entries(stack.template.Resources).map(([id, one]) => ({ id, stack: stack.name, ...one })),
);
const ofType = (type: string): Properties[] =>
  resources.filter(({ Type }) => Type === `AWS::${type}`).map(({ Properties = {} }) => Properties);
const [key] = resources.filter((one) => one.Type === 'AWS::KMS::Key' && one.stack.endsWith('-Data'));

/** Opens the template as the local stack does, so that imported values are resolved. */
const open = (from: Template): Stack =>
  openStack(from, { baseUrl: 'http://127.0.0.1', sqsEndpoint: 'http://127.0.0.1' });
const stack = open(template);
const keyArn = stack.arnOf(template.resources.get(key?.id ?? '') as TemplateResource);

test('the key is rotated and retained, and its policy grants access to the account and services but not to any role', () => {
  expect(key).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', Properties: { EnableKeyRotation: true } });
  const policy = key?.Properties?.KeyPolicy as { Statement: Properties[] } | undefined;
  const [account, ...services] = policy?.Statement ?? [];
  expect(account).toMatchObject({ Action: 'kms:*', Principal: { AWS: expect.anything() } });
  expect(JSON.stringify(account?.Principal)).toContain(':root');
  expect(services.map(({ Principal }) => Object.keys(Principal))).toEqual([['Service'], ['Service']]);
  expect(JSON.stringify(services[0]?.Condition)).toMatch(/kms:EncryptionContext:aws:logs:arn.*log-group:\*/);
  expect(services[1]?.Principal).toEqual({ Service: ['s3.amazonaws.com', 'sns.amazonaws.com'] });
  expect(services[1]?.Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
});

test('every table, bucket, queue, secret, log and backup is encrypted with the key', () => {
  const keys = [
    ...ofType('DynamoDB::GlobalTable').flatMap(({ Replicas }) =>
      Replicas.map((replica: Properties) => replica.SSESpecification.KMSMasterKeyId),
    ),
    ...ofType('S3::Bucket').map(
      ({ BucketEncryption: { ServerSideEncryptionConfiguration: rules } }) =>
        rules[0].ServerSideEncryptionByDefault.KMSMasterKeyID,
    ),
    ...ofType('SQS::Queue').map(({ KmsMasterKeyId }) => KmsMasterKeyId),
    ...['SecretsManager::Secret', 'Logs::LogGroup'].flatMap((type) => ofType(type).map(({ KmsKeyId }) => KmsKeyId)),
    ...ofType('Backup::BackupVault').map(({ EncryptionKeyArn }) => EncryptionKeyArn),
  ];
  expect(keys.length).toBeGreaterThan(80);
  const isIt = (one: unknown) =>
    JSON.stringify(one ?? '').includes(`"${key?.id}"`) ||
    /Data:ExportsOutputFnGetAttkey/.test(JSON.stringify(one ?? ''));
  expect(keys.filter((one) => !isIt(one))).toEqual([]);
});

const isKms = ({ Action }: { Action?: string | string[] }): boolean =>
  [Action].flat().some((one) => one?.startsWith('kms:'));

test('functions can use the key only through the services in which their data is stored', () => {
  const granted = [...readFunctionGrants(stack).values()].flat().filter(isKms);
  expect(granted.length).toBeGreaterThan(50);
  for (const { Action, Resource, Condition } of granted) {
    expect(['kms:Decrypt', 'kms:GenerateDataKey']).toEqual(expect.arrayContaining([Action].flat()));
    expect(Resource).toBe(keyArn);
    expect(Object.keys(Condition?.StringEquals ?? {})).toEqual(['kms:ViaService']);
  }
});

/** Returns the requests that the other permissions of each function allow. */
const needsIn = (from: Stack) =>
  [...readFunctionGrants(from)].flatMap(([id, statements]) =>
    statements
      .filter(({ Effect, Action }) => Effect === 'Allow' && /^(?:dynamodb|sqs|s3|secretsmanager):/.test(String(Action)))
      .flatMap(({ Action, Resource, Condition }) =>
        [Action].flat().flatMap((action = '') =>
          [Resource].flat().map((resource = '') => ({
            ...{ id, action, resources: [resource.replaceAll('*', 'x')], isPart: action === 's3:AbortMultipartUpload' },
            keys: { 's3:prefix': [Condition?.StringLike?.['s3:prefix']].flat().map(String) },
          })),
        ),
      ),
  );

test('functions have every key permission that they need to use their other permissions, and the local stack checks this', () => {
  const access = readAccess(stack);
  const needs = needsIn(stack).map(({ id, ...need }) => ({ id, all: access.completed([need]) }));
  expect(needs.filter(({ all }) => all.length > 1).length).toBeGreaterThan(200);
  expect(needs.filter(({ id, all }) => access.firstDenied(id, all))).toEqual([]);

  const stripped = new Map(
    [...template.resources].map(([id, one]) => {
      const { Statement } = (one.properties.PolicyDocument ?? {}) as { Statement?: Properties[] };
      if (one.type !== 'AWS::IAM::Policy' || !Statement) return [id, one] as const;
      const PolicyDocument = { Statement: Statement.filter((statement) => !isKms(statement)) };
      return [id, { ...one, properties: { ...one.properties, PolicyDocument } }] as const;
    }),
  );
  const refusing = readAccess(open({ ...template, resources: stripped }));
  for (const { id, all } of needs.filter((one) => one.all.length > 1)) {
    const denied = refusing.firstDenied(id, all);
    expect(denied?.action).toMatch(/^kms:/);
    expect(denied?.resources).toEqual([keyArn]);
  }
});

test('a backup plan backs up the tables and documents to a locked vault every day, and copies each backup', () => {
  const [vault] = ofType('Backup::BackupVault');
  expect(vault?.LockConfiguration).toEqual({ MinRetentionDays: 35 });
  const [plan] = ofType('Backup::BackupPlan');
  const Lifecycle = { DeleteAfterDays: 35 };
  expect(plan?.BackupPlan.BackupPlanRule).toMatchObject([
    { Lifecycle, CopyActions: [{ DestinationBackupVaultArn: copyVault, Lifecycle }] },
  ]);
  const [selection] = ofType('Backup::BackupSelection');
  expect(selection?.BackupSelection.Resources).toHaveLength(ofType('DynamoDB::GlobalTable').length + 1);
  const [documents] = ofType('S3::Bucket');
  expect(documents?.NotificationConfiguration.EventBridgeConfiguration).toEqual({ EventBridgeEnabled: true });
});
