import { expect, test } from 'vitest';
import { noticesOf } from '../../../infra/settings/check-settings.ts';
import { readStage } from '../../../infra/settings/read-stage.ts';
import { minConcurrency } from '../../../shared/contract/concurrency.ts';

test('readStage ignores the values of CDK itself, and by default returns the stage dev with its placeholders', async () => {
  const ofCdk = { '@aws-cdk/core:newStyleStackSynthesis': true, 'aws:cdk:enable-path-metadata': true };
  const { stage, production, oidcIssuer } = await readStage(ofCdk);
  expect([stage, production, oidcIssuer]).toEqual(['dev', 'false', 'https://issuer.example.org']);
});

test("a value in the CDK context overrides the value in the stage's file", async () => {
  const values = await readStage({ stage: 'prod', emailsPerSecond: 20 });
  expect(values).toMatchObject({ stage: 'prod', production: 'true', emailsPerSecond: '20', uinLength: '12' });
  expect(values.oidcIssuer).toMatch(/^https:.*\.example$/);
});

test.each([
  [{ stage: 'prod', emailSender: 'registry@example.org', oidcIssuer: 'http://issuer.example.org' }],
  [{ stage: 'prod', alarmEmail: '' }],
])('a stage that cannot be deployed yet can still run locally: %j', async (context) => {
  await expect(readStage(context)).rejects.toThrow();
  expect(await readStage(context, true)).toMatchObject(context);
});

test('noticesOf warns if alarms have no recipient or if the concurrency is too low for reservations', async () => {
  const [notice] = noticesOf(await readStage({}));
  expect(notice).toBe('the alarms of stage dev have no recipient: set alarmTopicArn or alarmEmail');
  expect(noticesOf(await readStage({ stage: 'prod', concurrency: 1000 }))).toEqual([]);
  expect(noticesOf(await readStage({ stage: 'prod', alarmEmail: '', alarmTopicArn: 'none' }))).toEqual([]);
  const [reserves] = noticesOf(await readStage({ stage: 'prod', concurrency: minConcurrency }));
  expect(reserves).toMatch(/^no concurrency is reserved for authorize and generateUin/);
});

type Rejected = [Record<string, string>, RegExp | string];

const keyArn = 'arn:aws:kms:eu-west-1:111122223333:key/0198d5a2-7f1c-7c3e-9b5a-3f1e2d4c5b6a';
const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:pager';
const vaultArn = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:registry';
const valid: Readonly<Record<string, string>> = {
  ...{ production: 'false', account: '444455556666', region: 'eu-west-1', keyArn: 'make' },
  ...{ journalLockMode: 'governance', documentTieringDays: '0' },
};

/** Returns the rejection of a setting that a production stage accepts only from its own file. */
const inFile = (name: string): Rejected => [
  { stage: 'prod', [name]: valid[name] ?? '7' },
  new RegExp(`^setting ${name} of a production stage belongs in infra/stages/prod.ts, so that`),
];

test.each([
  ...['deliveryDay', 'hopSeconds'].map((name): Rejected => {
    return [{ [name]: '7' }, new RegExp(`^there is no setting "${name}" .* run: npm run -s describe -- settings`)];
  }),
  [{ uinlength: '14' }, 'there is no setting "uinlength" (context): did you mean uinLength?'],
  [{ deliveryFromat: 'raw' }, 'there is no setting "deliveryFromat" (context): did you mean deliveryFormat?'],
  [{ stage: 'prd' }, 'there is no stage prd: the stages are dev, prod, test; create infra/stages/prd.ts to add it'],
  [{ stage: '../../faults' }, /^there is no stage /],
  [{ stage: 'prod', oidcIssuer: 'https://a.example.org' }, 'setting oidcIssuer of stage prod is still the placeholder'],
  [{ stage: 'prod', oidcIssuer: 'http://a.example' }, 'setting oidcIssuer of stage prod must be an https address'],
  [{ allowedNetworks: '10.0.0.0/8', vpc: 'make' }, /^setting allowedNetworks needs your own VPC/],
  [{ vpc: 'make', vpcId: 'vpc-0123456789abcdef0' }, /^settings vpc and vpcId select different networks/],
  [{ vpcId: 'vpc-0123456789abcdef0' }, /^settings vpcId and subnetIds belong together/],
  [{ domainName: 'registry.government.example' }, /^settings domainName and certificateArn belong together/],
  [{ domainOnly: true }, /^setting domainOnly needs a domain/],
  [{ stage: 'prod', identityProvider: 'cognito' }, /^setting oidcIssuer names an issuer in addition to/],
  [{ trustedNetworks: '0.0.0.0/0' }, /^setting trustedNetworks \(/],
  [{ trustedNetworks: 'ministry' }, /^setting trustedNetworks \(/],
  [{ machineScopes: 'notif.all' }, /^setting machineScopes \(/],
  [{ concurrency: 10 }, new RegExp(`^setting concurrency: .* The minimum is ${minConcurrency}. `)],
  [{ stage: 'prod', uinLength: 7 }, /^setting uinLength \(/],
  ...['change', 'id', 'source', 'publish', 'keep', 'duplicates', 'attributes'].map((name): Rejected => {
    return [{ extraAttributes: `tribe, ${name}` }, new RegExp(`^setting extraAttributes: ${name} is a column of`)];
  }),
  [{ stage: 'prod', alarmEmail: '' }, /^the alarms of stage prod have no recipient: .*, or alarmTopicArn=none$/],
  ...['pager', `${alarmTopicArn}.fifo`].map((wrong): Rejected => {
    return [{ alarmTopicArn: wrong }, /^setting alarmTopicArn .* must be the ARN of a standard SNS topic .*, or none$/];
  }),
  ...['production', 'account', 'region', 'deliveryDays', 'journalDays', 'importDays', 'logRetentionDays'].map(inFile),
  ...['documentVersionDays', 'journalLockDays', 'journalLockMode', 'keyArn'].map(inFile),
  ...['backupDays', 'documentTieringDays'].map(inFile),
  ...Object.entries({ keyArn, alarmTopicArn }).map(([name, arn]): Rejected => {
    return [{ stage: 'prod', [name]: arn }, `setting ${name} of stage prod must be in the Region eu-central-1, not`];
  }),
  [{ keyArn: 'alias/registry' }, /^setting keyArn .* the ARN of a KMS key \(not of an alias\), or make$/],
  [{ backupCopyVaultArn: vaultArn }, 'setting backupCopyVaultArn needs a backup plan: set backupDays'],
  [{ backupLockMode: 'compliance' }, 'setting backupLockMode needs a backup plan: set backupDays'],
  [{ backupDays: 7, backupCopyVaultArn: 'registry' }, /^setting backupCopyVaultArn \(/],
  [{ production: 'true', journalDays: '30' }, /^settings account and region of stage dev are required/],
  [{ account: '123' }, /^setting account \(.*\): must be the 12-digit number of an AWS account$/],
  [{ region: 'Frankfurt' }, /^setting region \(.*\): must be a Region such as eu-central-1$/],
  [{ alarmEmail: 'a@b, c@d' }, /^setting alarmEmail \(.*\): must be one mailbox address$/],
])('readStage rejects %j in one line', async (context, message) => {
  await expect(readStage(context)).rejects.toThrow(message);
  const rejected = await readStage(context).then(String, ({ message }: Error) => message);
  expect(rejected).not.toContain('\n');
});

test('readStage rejects allowedNetworks with loopback addresses, even with an existing VPC', async () => {
  const vpc = { vpcId: 'vpc-0123456789abcdef0', subnetIds: 'subnet-0123456789abcdef0,subnet-0123456789abcdef1' };
  const given = { ...vpc, allowedNetworks: '10.0.0.0/8' };
  expect(await readStage(given)).toMatchObject(given);
  for (const allowedNetworks of ['127.0.0.1/32', '127.0.0.0/8', '64.0.0.0/2', '::1/128', '10.0.0.0/8,::2/126'])
    await expect(readStage({ ...vpc, allowedNetworks })).rejects.toThrow('must not contain 127.0.0.0/8 or ::1');
});
