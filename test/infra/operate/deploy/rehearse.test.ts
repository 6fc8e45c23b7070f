import { expect, test } from 'vitest';
import { serviceStatements } from '../../../../infra/constructs/key-policy.ts';
import { findProblems, type Rehearsal } from '../../../../infra/operate/deploy/rehearse.ts';
import { readStage } from '../../../../infra/settings/read-stage.ts';
import { synthesizeTemplate } from '../../../harness/template.ts';

const mailbox = 'a@registry.government.test';
const settings = await readStage({
  ...{ stage: 'prod', emailSender: mailbox, alarmEmail: mailbox, institutionContact: mailbox },
  ...{ oidcIssuer: 'https://login.test/', oidcJwksUri: 'https://login.test/keys' },
  ...{ oidcTokenUrl: 'https://login.test/token', domainName: 'registry.government.test' },
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/0198d5a2',
});
const { stacks } = await synthesizeTemplate({ stage: 'prod' });

type Responses = Readonly<Record<string, unknown>>;

const named = (name: string) => Object.assign(new Error(), { name });
const limit = { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 };
const mail = { ProductionAccessEnabled: true, SendingEnabled: true, SendQuota: { MaxSendRate: 50, Max24HourSend: -1 } };
const issued = { Status: 'ISSUED', DomainName: '*.government.test', NotAfter: new Date('2026-12-01') };
const place = { account: '111122223333', alias: '', region: 'eu-central-1' };
const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0198d5a2';
const usable = { KeyState: 'Enabled', KeySpec: 'SYMMETRIC_DEFAULT', KeyUsage: 'ENCRYPT_DECRYPT' };
const key = (changed: object) => ({ 'kms describe-key': { KeyMetadata: { ...usable, ...changed } } });
const keyPolicy = (...Statement: object[]) => ({ 'kms get-key-policy': { Policy: JSON.stringify({ Statement }) } });
const toAccount = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'kms:*' };
const toServices = serviceStatements({ ...place, partition: 'aws', urlSuffix: 'amazonaws.com' });
const identity = 'GetEmailIdentity government.test';
const poolDomain = 'cognito-idp describe-user-pool-domain';
const description = 'https://login.test/.well-known/openid-configuration';
/** The responses of an account in which a deployment succeeds: command results, web pages and stack states. */
const healthy: Responses = {
  GetAccountSettings: { AccountLimit: limit },
  GetAccountSummary: { SummaryMap: { Roles: 10, RolesQuota: 1000 } },
  GetAccount: mail,
  [identity]: { VerifiedForSendingStatus: true, DkimAttributes: { Status: 'SUCCESS' } },
  DescribeCertificate: { Certificate: issued },
  'https://login.test/keys': { keys: [{}] },
  [description]: { issuer: 'https://login.test/' },
  CDKToolkit: 'UPDATE_COMPLETE',
  ...{ ...key({}), ...keyPolicy(toAccount, ...toServices) },
  'wafv2 list-web-acls': {},
};

/** Rehearses the first deployment. A resource for which there is no response does not exist. */
function rehearse(replaced: Responses, given: Partial<Rehearsal> = {}) {
  const responses = { ...healthy, ...replaced };
  const respond = (...names: string[]) => {
    const found = names.map((name) => responses[name]).find((one) => one !== undefined) ?? named('NotFoundException');
    if (found instanceof Error) throw found;
    return found;
  };
  const send = async (command: { readonly input: object }) => {
    const name = command.constructor.name.replace(/Command$/, '');
    return respond(name, `${name} ${Object.values(command.input)[0]}`);
  };
  const aws = async (...words: readonly string[]) => JSON.stringify(respond(words.slice(0, 2).join(' ')));
  const client = { send } as never;
  return findProblems({
    ...{ settings: { ...settings, keyArn }, stacks, now: () => Date.parse('2026-11-01'), place },
    unmade: [...stacks.map((one) => one.name), 'IdentityRegistry-prod-IdentityProvider'],
    clients: { aws, acm: client, iam: client, lambda: client, ses: client },
    statusOf: async (stack) => responses[stack] as string | undefined,
    read: (async (url: string) => ({ ok: url in responses, json: async () => responses[url] })) as never,
    ...given,
  });
}

const certificate = (changed: object): Responses => ({
  DescribeCertificate: { Certificate: { ...issued, ...changed } },
});

test.each<[Responses, ...string[]]>([
  [{ [identity]: undefined, 'GetEmailIdentity registry.government.test': healthy[identity] }],
  [{ CDKToolkit: undefined }, 'the Region is not prepared for CDK'],
  [{ 'IdentityRegistry-prod': 'UPDATE_ROLLBACK_FAILED' }, 'IdentityRegistry-prod cannot be updated: UPDATE_ROLLBACK_'],
  [{ GetAccountSettings: { AccountLimit: { ...limit, UnreservedConcurrentExecutions: 99 } } }, 'no function reserves'],
  [
    { GetAccountSummary: { SummaryMap: { Roles: 990, RolesQuota: 1000 } } },
    "the account's limit for IAM roles is 1000",
  ],
  [{ GetAccountSummary: named('AccessDenied') }, 'not checked (iam:GetAccountSummary): AccessDenied'],
  [{ GetAccount: { ...mail, SendQuota: { MaxSendRate: 1 } } }, 'but the emailsPerSecond setting needs 50'],
  [{ GetAccount: { ...mail, ProductionAccessEnabled: false } }, 'the account is in the SES sandbox'],
  [{ GetAccount: { ...mail, EnforcementStatus: 'SHUTDOWN' } }, 'SES does not send emails as usual: SHUTDOWN'],
  [{ [identity]: undefined }, 'SES has not verified the sender'],
  [{ [identity]: { VerifiedForSendingStatus: true } }, 'emails of the sender (setting emailSender) have no DKIM'],
  [{ GetConfigurationSet: {} }, 'the configuration set identity-registry-prod exists'],
  [{ 'https://login.test/keys': { keys: [] } }, 'the issuer publishes no keys at https://login.test/keys'],
  [{ [description]: { issuer: 'https://login.test' } }, "setting oidcIssuer differs from the issuer's own issuer"],
  [certificate({ Status: 'PENDING_VALIDATION' }), 'the certificate has the status PENDING_VALIDATION'],
  [certificate({ DomainName: '*.test' }), 'the certificate is not for registry.government.test'],
  [certificate({ NotAfter: new Date('2026-11-02') }), 'the certificate expires in 1 day'],
  [{ 'apigateway get-domain-name': {} }, 'the domain registry.government.test exists in API Gateway'],
  [{ [poolDomain]: { DomainDescription: { Domain: 'a' } } }, 'has the domain identity-registry-prod-111122223333'],
  [{ 'wafv2 list-web-acls': { WebACLs: [{ Name: 'identity-registry-prod' }] } }, 'the web ACL identity-registry-prod'],
  [{ 'wafv2 list-web-acls': named('AccessDenied') }, 'not checked (wafv2:ListWebACLs): AccessDenied'],
  [{ 'kms describe-key': undefined }, 'setting keyArn: the key does not exist'],
  [key({ KeyState: 'PendingDeletion' }), 'setting keyArn: the key has the state PendingDeletion'],
  [key({ KeySpec: 'RSA_2048' }), 'setting keyArn: the key has the type RSA_2048 (ENCRYPT_DECRYPT)'],
  [keyPolicy(...toServices), 'setting keyArn: the key policy lacks permissions for the account'],
  [keyPolicy(toAccount), 'for logs.eu-central-1.amazonaws.com, s3.amazonaws.com, sns.amazonaws.com'],
])('for an account with %j, a rehearsal reports: %s', async (replaced, ...problems) => {
  const found = await rehearse(replaced);
  expect(found.map(({ problem }) => problem)).toEqual(problems.map((one) => expect.stringContaining(one)));
  for (const { problem, fix, isUnknown = false } of found)
    expect([fix === '', isUnknown]).toEqual([false, problem.startsWith('not checked')]);
});

test('a rehearsal reports a key in another Region, and accepts the domain of the stage itself', async () => {
  const replaced = { 'apigateway get-domain-name': { tags: { service: 'identity-registry', stage: 'prod' } } };
  const found = await rehearse(replaced, { unmade: [], place: { ...place, region: 'eu-west-1' } });
  const problem = 'setting keyArn: the key is in account 111122223333, eu-central-1';
  expect(found).toEqual([{ problem, fix: 'use a key in account 111122223333, eu-west-1' }]);
});

const repeat = <T>(length: number, one: T) => Object.fromEntries(Array.from({ length }, (_, at) => [`a${at}`, one]));

test('a rehearsal reports example values, and any stacks, roles and functions that are too large', async () => {
  const Statement = Array(103).fill({ 'Fn::GetAtt': ['a', 'Arn'] });
  const Resources = {
    policy: { Type: 'AWS::IAM::Policy', Properties: { Roles: [{ Ref: 'role' }], PolicyDocument: { Statement } } },
    worker: { Type: 'AWS::Lambda::Function', Properties: { Environment: { A: 'x'.repeat(4096) } } },
    ...repeat(500, { Type: 'AWS::SQS::Queue', text: 'x'.repeat(2100) }),
  };
  const large = [{ name: 'Large', template: { Resources, Outputs: repeat(201, {}) }, isProtected: true }];
  const found = await rehearse({}, { stacks: large, unmade: [], settings: { ...settings, timeZone: 'a.example' } });
  expect(found.map(({ problem }) => problem)).toEqual([
    'setting timeZone still has the value of the example',
    expect.stringMatching(/^Large has 1\d{6} bytes of the template, but AWS allows 1048576$/),
    'Large has 502 resources, but AWS allows 500',
    'Large has 201 outputs, but AWS allows 200',
    expect.stringMatching(/^Large role has 10\d{3} characters of inline policies, but AWS allows 10240$/),
    expect.stringMatching(/^Large worker has 41\d\d characters of environment variables, but AWS allows 4096$/),
  ]);
});
