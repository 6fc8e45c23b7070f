import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { restoreCommands } from '../../../infra/operate/restore/restore-commands.ts';
import { type Table, tables } from '../../../shared/contract/tables.ts';
import { runProgram } from '../../harness/run-program.ts';
import { synthesizeTemplate } from '../../harness/template.ts';

const here = mkdtempSync(join(tmpdir(), 'after-restore-'));
afterAll(() => rmSync(here, { recursive: true }));

// Replaces the AWS CLI: records the arguments of each call in one line, and returns the given indexes and tags.
const standIn = `#!/bin/sh
for word in "$@"; do printf '%s\\t' "$word" >>"$CALLS"; done; echo >>"$CALLS"
case "$*" in
  *IndexStatus*) echo "$INDEXES" ;;
  *TableStatus*) [ "$OLD" = never ] && exit 254; [ "$(grep -c TableStatus "$CALLS")" -gt "$BUSY" ] && echo ACTIVE || echo CREATING ;;
  *update-continuous-backups*) [ "$(grep -c update-continuous-backups "$CALLS")" -gt "$BUSY" ] || exit 254 ;;
  *TimeToLiveStatus*) echo "$TTL" ;;
  *get-caller-identity*) [ "$WHO" = unknown ] && exit 255; echo "$WHO" ;;
  *OutputValue*) echo in-use ;;
  *in-use*TableArn*) [ "$OLD" = gone ] && exit 254; echo arn:in-use ;;
  *TableArn*) echo arn:restored ;;
  *list-tags-of-resource*) echo "$TAGS" ;;
esac
`;
writeFileSync(join(here, 'aws'), standIn);
chmodSync(join(here, 'aws'), 0o755);
writeFileSync(join(here, 'sleep'), '#!/bin/sh\n');
chmodSync(join(here, 'sleep'), 0o755);

/** Runs the printed commands in a shell and returns the calls to the AWS CLI. */
async function afterRestore(given: string, environment: Record<string, string> = {}) {
  const script = await restoreCommands('prod', [given]);
  const calls = join(here, 'calls');
  writeFileSync(calls, '');
  const usual = { INDEXES: '', TAGS: '[]', OLD: '', BUSY: '0', TTL: 'DISABLED', WHO: 'arn:aws:iam::1:user/ann' };
  const variables = { CALLS: calls, ...usual, ...environment };
  const env = { PATH: [here, process.env.PATH].join(delimiter), ...variables };
  const result = await runProgram('sh', [], { env, input: script });
  const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean);
  return { ...result, calls: lines.map((line) => line.split('\t').slice(0, -1)) };
}

const of = (calls: string[][], command: string): string[][] => calls.filter(([, name]) => name === command);
const indexesOf = ({ indexes = {} }: Table): string => Object.keys(indexes).toSorted().join(' ');

describe.each(Object.entries<Table>(tables))('after-restore', (name, shape) => {
  test('after-restore configures exactly the features of a restored %s table that a restore does not copy', async () => {
    const { code, complaint, out, calls } = await afterRestore(`${name}=back`, { INDEXES: indexesOf(shape) });
    expect([code, complaint]).toEqual([0, '']);
    expect(out).toContain(`add ${name}=back to the setting restored in infra/stages/prod.ts`);
    expect(of(calls, 'update-continuous-backups')).toHaveLength(1);
    expect(of(calls, 'update-time-to-live').map((words) => words.at(-1))).toEqual(
      shape.expiresAt === undefined ? [] : [`Enabled=true,AttributeName=${shape.expiresAt}`],
    );
    const updates = of(calls, 'update-table').map((words) => words.slice(4).join(' '));
    expect(updates.at(-1)).toBe('--deletion-protection-enabled');
    const warmed = updates.slice(0, -1);
    const warmIndexes = Object.entries(shape.indexes ?? {}).filter(([, { isSeldomWritten }]) => !isSeldomWritten);
    expect(warmed).toHaveLength(shape.isWarmed ? 1 + warmIndexes.length : 0);
    for (const one of warmed) expect(one).toContain('"WriteUnitsPerSecond":12000');
    for (const words of calls.filter(([, command]) => /^(?:update|tag)/.test(String(command)))) {
      expect(words).not.toContain('in-use');
    }
  });
});

test('after-restore copies the tags of the replaced table, or reports that this table no longer exists', async () => {
  const INDEXES = indexesOf(tables.topics);
  const { calls } = await afterRestore('topics=back', { INDEXES, TAGS: '[{"Key":"owner","Value":"it’s us"}]' });
  expect(of(calls, 'tag-resource')).toEqual([
    ['dynamodb', 'tag-resource', '--resource-arn', 'arn:restored', '--tags', '[{"Key":"owner","Value":"it’s us"}]'],
  ]);
  const gone = await afterRestore('topics=back', { INDEXES, OLD: 'gone' });
  expect(gone.code).toBe(0);
  expect(gone.complaint).toBe('the replaced table no longer exists: add the tags of back yourself\n');
});

test('after-restore waits for slow restores and for their backups', async () => {
  const { code, calls } = await afterRestore('topics=back', { INDEXES: indexesOf(tables.topics), BUSY: '90' });
  expect([code, calls.filter((words) => words.includes('Table.TableStatus')).length]).toEqual([1, 91]);
  expect(of(calls, 'update-continuous-backups')).toHaveLength(60);
  const later = await afterRestore('topics=back', { INDEXES: indexesOf(tables.topics), BUSY: '40' });
  expect([later.code, of(later.calls, 'update-continuous-backups').length]).toEqual([0, 41]);
});

test('after-restore does not wait for a table that does not exist', async () => {
  const { code, calls } = await afterRestore('topics=back', { OLD: 'never' });
  expect([code, calls.length]).toEqual([1, 1]);
});

test.each(['ENABLING', 'ENABLED'])('after-restore can be repeated when the table’s TTL is already %s', async (TTL) => {
  const { code, calls } = await afterRestore('limits=back', { INDEXES: indexesOf(tables.limits), TTL });
  expect([code, of(calls, 'update-time-to-live')]).toEqual([0, []]);
});

test('after-restore stops if the restored table lacks an index', async () => {
  const { code, complaint, out, calls } = await afterRestore('persons=back', { INDEXES: 'byBirth' });
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toContain('back lacks an index of byBirth, byBirthPlace');
  expect(of(calls, 'update-table')).toEqual([]);
});

/** Parses the shorthand syntax of the AWS CLI: `A=true,B=text`. */
const parseShorthand = (text = ''): object =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('='))
      .map(([name = '', value]) => [name, value === 'true' || value]),
  );

test.each(['documents', 'exportedJournal'])('after-restore protects the bucket %s like the template', async (name) => {
  const { ofType } = await synthesizeTemplate({ stage: 'prod' });
  const bucket = ofType('AWS::S3::Bucket').find((one) => one.name === name);
  const template = bucket?.properties ?? {};
  const policy = ofType('AWS::S3::BucketPolicy').find(({ properties }) => properties.Bucket.Ref === bucket?.id);
  const { calls } = await afterRestore(`${name}=back`);
  const argument = (command: string): string | undefined => of(calls, command)[0]?.at(-1);
  const [words] = of(calls, 'put-public-access-block');
  expect(words?.slice(0, 4)).toEqual(['s3api', 'put-public-access-block', '--bucket', 'back']);
  expect(parseShorthand(argument('put-public-access-block'))).toEqual(template.PublicAccessBlockConfiguration);
  expect(parseShorthand(argument('put-bucket-versioning'))).toEqual(template.VersioningConfiguration);
  const conditions = (statements: { Effect: string; Action: string; Condition: object }[]) =>
    statements.filter(({ Effect }) => Effect === 'Deny').map(({ Action, Condition }) => ({ Action, Condition }));
  expect(conditions(JSON.parse(argument('put-bucket-policy') ?? '').Statement)).toEqual(
    conditions(policy?.properties.PolicyDocument.Statement),
  );
});

test('after-restore configures the versioning, access and lifecycle rules of a restored bucket', async () => {
  const { code, calls } = await afterRestore('documents=back');
  expect(code).toBe(0);
  const settings = ['bucket-versioning', 'public-access-block', 'bucket-policy', 'bucket-lifecycle-configuration'];
  expect(calls.map(([, name]) => name)).toEqual(['get-caller-identity', ...settings.map((one) => `put-${one}`)]);
  const { Rules } = JSON.parse(calls.at(-1)?.at(-1) ?? '');
  expect(Rules).toContainEqual({
    ...{ ID: 'messages', Status: 'Enabled', Filter: { Prefix: 'messages/' } },
    ...{ Expiration: { Days: 45 }, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
  });
  expect(Rules).toContainEqual({
    ...{ ID: 'tiering', Status: 'Enabled', Filter: { Prefix: 'documents/' } },
    Transitions: [{ Days: 30, StorageClass: 'INTELLIGENT_TIERING' }],
    NoncurrentVersionTransitions: [{ NoncurrentDays: 30, StorageClass: 'INTELLIGENT_TIERING' }],
  });
});

test.each([
  ['aws', 'arn:aws:iam::123456789012:user/ann'],
  ['aws-cn', 'arn:aws-cn:iam::123456789012:user/ann'],
  ['aws-us-gov', 'arn:aws-us-gov:sts::123456789012:assumed-role/operators/ann'],
])('after-restore writes a bucket policy for the operator’s AWS partition: %s', async (partition, WHO) => {
  const { code, complaint, calls } = await afterRestore('documents=back', { WHO });
  expect([code, complaint]).toEqual([0, '']);
  const [[, , , , , policy = ''] = []] = of(calls, 'put-bucket-policy');
  const resources = JSON.parse(policy).Statement.map(({ Resource }: { Resource: string[] }) => Resource);
  const both = [`arn:${partition}:s3:::back`, `arn:${partition}:s3:::back/*`];
  expect(resources).toEqual([both, both]);
});

test("after-restore changes nothing in a restored bucket if the operator's identity is unknown", async () => {
  const { code, calls } = await afterRestore('documents=back', { WHO: 'unknown' });
  expect(code).not.toBe(0);
  expect(calls.map(([, command]) => command)).toEqual(['get-caller-identity']);
});

test("after-restore configures the object lock of the exported journal's restored bucket", async () => {
  const { code, calls } = await afterRestore('exportedJournal=back');
  expect(code).toBe(0);
  const [lock] = of(calls, 'put-object-lock-configuration');
  const Rule = { DefaultRetention: { Days: 400, Mode: 'GOVERNANCE' } };
  expect(JSON.parse(lock?.at(-1) ?? '')).toEqual({ ObjectLockEnabled: 'Enabled', Rule });
});

test.each([['people=back'], ['persons'], ['persons=a b']])('after-restore rejects %s', async (given) => {
  await expect(restoreCommands('prod', [given])).rejects.toThrow('needs one of persons,');
});
