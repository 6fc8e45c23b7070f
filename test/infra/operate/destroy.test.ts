import { expect, test } from 'vitest';
import type { Aws } from '../../../infra/operate/aws-cli.ts';
import { emptyVaults, listLeftOver, removeLeftOver } from '../../../infra/operate/destroy/left-over.ts';

const arnOf = (service: string, name: string) => `arn:aws:${service}:eu-west-3:123456789012:${name}`;
const secret = arnOf('secretsmanager', 'secret:naming-AbCdE1');
const arns = [
  ...[arnOf('dynamodb', 'table/persons'), 'arn:aws:s3:::documents', secret, arnOf('lambda', 'function:sweep')],
  ...[arnOf('logs', 'log-group:sweep'), arnOf('ec2', 'elastic-ip/eipalloc-1'), arnOf('cognito-idp', 'userpool/p_1')],
  ...[arnOf('kms', 'key/1'), arnOf('backup', 'backup-vault:daily')],
];

const waiting = { say: () => {}, sleep: async () => {} };

test('destroy uses tags to find the resources that remain, and deletes all versions in a bucket', async () => {
  const calls: string[] = [];
  let versions = ['1', '2'];
  let denied: object[] = [];
  const aws: Aws = async (service, command, ...args) => {
    calls.push([command, ...args].join(' '));
    if (service === 'dynamodb') throw new Error('ResourceNotFoundException');
    // The deletion of this key is already scheduled.
    if (service === 'kms') throw new Error('KMSInvalidStateException: key/1 is pending deletion.');
    if (command === 'get-resources') return JSON.stringify(arns);
    if (command === 'list-object-versions') return JSON.stringify({ Objects: versions.length > 0 ? versions : null });
    if (command === 'delete-objects') versions = denied.length > 0 ? versions : [];
    return command === 'delete-objects' ? JSON.stringify({ Errors: denied }) : '';
  };
  const leftOver = await listLeftOver(aws, 'identity-registry', 'dev');
  expect(calls.splice(0).join()).toContain('Key=service,Values=identity-registry Key=stage,Values=dev');
  expect(leftOver).toEqual(arns.filter((arn) => !arn.includes(':lambda:')));
  for (const arn of leftOver) await removeLeftOver(aws, arn, waiting);
  expect(calls.map((call) => call.split(' ')[0])).toEqual([
    ...['delete-table', 'list-object-versions', 'delete-objects', 'list-object-versions', 'delete-bucket'],
    ...['delete-resource-policy', 'delete-secret', 'delete-log-group', 'release-address', 'delete-user-pool'],
    ...['schedule-key-deletion', 'delete-backup-vault-lock-configuration', 'list-recovery-points-by-backup-vault'],
    'delete-backup-vault',
  ]);
  expect(calls.find((call) => call.startsWith('delete-objects'))).toContain('--bypass-governance-retention');
  [versions, denied] = [['1'], [{ Key: 'journal/1', Code: 'AccessDenied' }]];
  const removal = removeLeftOver(aws, 'arn:aws:s3:::documents', waiting);
  await expect(removal).rejects.toThrow('journal/1 cannot be deleted (AccessDenied)');
});

test('destroy deletes each backup once, waits until the vault is empty, and stops waiting after 15 minutes', async () => {
  const [lines, deletions]: [string[], string[]] = [[], []];
  const status = new Map([...Object.entries({ old: 'COMPLETED', new: 'CREATING' })]);
  const aws: Aws = async (_, command, ...args) => {
    if (command === 'list-recovery-points-by-backup-vault') return JSON.stringify([...status]);
    if (command !== 'delete-recovery-point') return '';
    deletions.push(args.at(-1) as string);
    if (status.get(args.at(-1) as string) === 'CREATING') throw new Error('InvalidResourceStateException');
    return '';
  };
  let waits = 0;
  const say = (line: string) => lines.push(line);
  const sleep = async () =>
    void (++waits === 1 ? status.delete('old') && status.set('new', 'COMPLETED') : status.clear());
  await emptyVaults(aws, arns, { say, sleep });
  expect(deletions).toEqual(['old', 'new', 'new']);
  status.set('stuck', 'DELETING');
  await emptyVaults(aws, arns, { say, sleep: async (milliseconds) => (waits += milliseconds / 1000) });
  expect([waits, lines.slice(0, 2)]).toEqual([
    902,
    ['deleting 2 backups in daily ...', 'deleting 1 backup in daily ...'],
  ]);
  expect(lines.at(-1)).toBe('AWS has not yet deleted 1 backup in daily: run npm run destroy again later');
});
