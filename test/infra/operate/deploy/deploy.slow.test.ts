import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { confirm } from '../../../../infra/operate/deploy/ask.ts';
import { readDeployOptions } from '../../../../infra/operate/deploy/options.ts';
import { dataStackOf } from '../../../../infra/operate/deploy/place.ts';
import { stackPolicy } from '../../../../infra/operate/deploy/stack-policy.ts';
import { listenLocally } from '../../../harness/local-server.ts';
import { runProgram } from '../../../harness/run-program.ts';

const scripts = join(import.meta.dirname, '../../../../infra/operate');
const here = mkdtempSync(join(tmpdir(), 'deploy-'));
const table = (name: string) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'RetainExceptOnCreate',
  Properties: { KeySchema: [{ AttributeName: name, KeyType: 'HASH' }] },
});
const old = 'IdentityRegistry-test:ExportsOutputRefold';
const importing = { Type: 'AWS::CloudWatch::Alarm', Properties: { 'Fn::ImportValue': old } };
const stack = { Resources: { persons: table('id'), topics: table('uuid') } };

// Replaces CDK: records the arguments and synthesizes a stack with the given template.
const standIn = `#!${process.execPath}
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync('calls', args.join(' ') + '\\n');
if (args[0] === process.env.FAILING) process.exit(3);
if (args[0] === 'synth') {
  mkdirSync('cdk.out', { recursive: true });
  const name = 'IdentityRegistry-' + args.find((one) => one.startsWith('stage=')).slice(6);
  const artifact = { type: 'aws:cloudformation:stack', properties: { templateFile: 'a.json' } };
  writeFileSync('cdk.out/manifest.json', JSON.stringify({ artifacts: { [name]: artifact } }));
  writeFileSync('cdk.out/a.json', process.env.TEMPLATE);
}
`;
mkdirSync(join(here, 'bin'));
writeFileSync(join(here, 'bin/cdk'), standIn);
chmodSync(join(here, 'bin/cdk'), 0o755);
symlinkSync('cdk', join(here, 'bin/aws'));

let status: string | undefined;
let isNew = false;
let template: object = stack;
let deployed: object = stack;
let others: string[] = [];
let quota: number | undefined;
let policies: string[] = [];
let [alarms, laterAlarms] = ['', ''];
// The account and Region of the stage prod.
const [account, region] = ['111122223333', 'eu-central-1'];
const data = dataStackOf('prod');
let [callerAccount, alias] = [account, ''];
const escaped = (json: string): string => json.replaceAll('"', '&quot;');
// Replaces the AWS APIs. If `status` is undefined, no stack exists. Otherwise, the service stack, the data stack and
// the stacks in `others` exist.
const cloudFormation = createServer(async (request, response) => {
  if (request.url?.startsWith('/2016-08-19/account-settings')) {
    response.setHeader('content-type', 'application/json');
    if (quota === undefined) return void response.writeHead(403, { 'x-amzn-errortype': 'AccessDenied' }).end('{}');
    return void response.end(JSON.stringify({ AccountLimit: { ConcurrentExecutions: quota } }));
  }
  if (request.url === '/v2/email/account') return void response.end('{"SendQuota":{"Max24HourSend":-1}}');
  const form = new URLSearchParams(await text(request));
  response.setHeader('content-type', 'text/xml');
  const action = form.get('Action');
  const reply = (result: string) =>
    response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
  if (action === 'GetCallerIdentity') return void reply(`<Account>${callerAccount}</Account>`);
  if (action === 'ListAccountAliases')
    return void reply(`<AccountAliases>${alias && `<member>${alias}</member>`}</AccountAliases>`);
  const name = form.get('StackName') ?? '';
  if (action === 'SetStackPolicy') {
    policies.push(`${name} ${form.get('StackPolicyBody')}`);
    return void response.end(`<${action}Response/>`);
  }
  const isDeployed = readFileSync(join(here, 'calls'), 'utf8').includes('deploy ');
  if (isNew && isDeployed) status = 'CREATE_COMPLETE';
  if (status === undefined || (/-.*-/.test(name) && ![data, ...others].includes(name))) {
    const message = `Stack with id ${name} does not exist`;
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error>`;
    return void response.writeHead(400).end(`<ErrorResponse>${error}</ErrorResponse>`);
  }
  const output = `<member><OutputKey>a</OutputKey><OutputValue>a-topic</OutputValue><ExportName>${old}</ExportName></member>`;
  const ofAlarms = `<member><OutputKey>rollbackAlarms</OutputKey><OutputValue>${(isDeployed && laterAlarms) || alarms}</OutputValue></member>`;
  const outputs = alarms !== '' && name.endsWith('-Observability') ? ofAlarms : output;
  const described = `<Stacks><member><StackName>a</StackName><StackStatus>${status}</StackStatus><Outputs>${outputs}</Outputs></member></Stacks>`;
  const importing = name === others[0] ? { Resources: { alarm: { 'Fn::ImportValue': old } } } : stack;
  const its = others.includes(name) ? importing : deployed;
  const body = `<TemplateBody>${escaped(JSON.stringify(its))}</TemplateBody>`;
  reply(action === 'DescribeStacks' ? described : body);
});
const url = await listenLocally(cloudFormation);
afterAll(() => {
  cloudFormation.close();
  rmSync(here, { recursive: true });
});

beforeEach(() => {
  [status, template, deployed, others, quota] = ['UPDATE_COMPLETE', stack, stack, [], 1000];
  [callerAccount, alias, isNew, policies, alarms, laterAlarms] = [account, '', false, [], '', ''];
});

async function deploy(args: string[], environment: Record<string, string> = {}, script = 'deploy.ts') {
  writeFileSync(join(here, 'calls'), '');
  const env = {
    PATH: [join(here, 'bin'), process.env.PATH].join(delimiter),
    ...{ AWS_REGION: region, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: url },
    TEMPLATE: JSON.stringify(template),
    ...environment,
  };
  const named = script === 'deploy.ts' && args.includes('--yes') ? ['--account', account] : [];
  const result = await runProgram(process.execPath, [join(scripts, script), ...named, ...args], { cwd: here, env });
  const calls = readFileSync(join(here, 'calls'), 'utf8').split('\n').filter(Boolean);
  return { ...result, calls };
}

const synth = 'synth --quiet --strict --output cdk.out';
const diff = 'diff --app cdk.out --all';
const deploying = 'deploy --app cdk.out --all --rollback-trigger-alarm-arns=none --require-approval never';

test('deploy shows the diff of all stacks and then deploys them', async () => {
  expect(await deploy(['--stage', 'prod', '--yes'])).toMatchObject({
    code: 0,
    complaint: '',
    out: expect.stringMatching(
      /^Stage prod: account 1.*\nnot changed from .*\nscopePrefix is empty: .*\nprod is deployed/,
    ),
    calls: [`${synth} -c stage=prod`, diff, deploying],
  });
});

test.each([undefined, 'ROLLBACK_COMPLETE'])(
  'deploy deploys the stacks of a new production stage twice: %s',
  async (before) => {
    [status, isNew] = [before, true];
    deployed = { Resources: {} };
    expect(await deploy(['--stage', 'prod', '--yes', '--first', `prod-${account}`])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Stage .*\nFirst deployment of IdentityRegistry-prod\. .*\nnot changed from .*\nscopePrefix is empty: .*\nDeploying again .*\nprod is dep/,
      ),
      calls: [
        `${synth} -c stage=prod`,
        ...[`${synth} -c stage=prod -c firstDeployment=IdentityRegistry-prod`, diff, deploying],
        ...[`${synth} -c stage=prod`, deploying],
      ],
    });
    expect(policies).toEqual([`${data} ${stackPolicy()}`]);
    status = before;
    expect((await deploy(['--stage', 'test', '--yes'])).calls).toEqual([`${synth} -c stage=test`, diff, deploying]);
    expect(policies).toHaveLength(1);
  },
);

test.each([
  ['', ''],
  ['deploy', 'cdk deploy failed with 3\n'],
])(
  'deploy lifts the stack policy only with --lift and only for the duration of the update, even if CDK fails: %j',
  async (FAILING, line) => {
    const { complaint, calls } = await deploy(['--stage', 'prod', '--yes', '--lift', 'persons'], { FAILING });
    expect([complaint, calls]).toEqual([line, [`${synth} -c stage=prod`, diff, deploying]]);
    expect(policies).toEqual([stackPolicy(['persons']), stackPolicy()].map((one) => `${data} ${one}`));
    const [allowed, denied] = JSON.parse(stackPolicy(['persons'])).Statement;
    expect(allowed).toEqual({ Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' });
    expect(denied).toMatchObject({ Effect: 'Deny', NotResource: ['LogicalResourceId/persons'] });
  },
);

test('a rehearsal compares the existing stacks, prints each problem with its fix, and does not deploy anything', async () => {
  deployed = { Resources: { limits: table('id') } };
  const { code, out, calls } = await deploy(['--stage', 'prod', '--rehearse']);
  const reading = 'diff --app cdk.out --exclusively IdentityRegistry-prod';
  expect([code, calls, policies]).toEqual([1, [`${synth} -c stage=prod`, reading], []]);
  expect(out).toContain('would be lost: IdentityRegistry-prod DynamoDB GlobalTable limits: is no longer in the stack');
  expect(out).toMatch(/\nthe account is in the SES sandbox, .*\n {2}fix: request production access: .*\n/);
  expect(out).toMatch(/\nNothing was changed\. Problems: \d+\n$/);
  status = undefined;
  const fresh = await deploy(['--stage', 'prod', '--rehearse']);
  expect(fresh.calls).toEqual([`${synth} -c stage=prod`]);
  const fix = `npx cdk bootstrap aws://${account}/${region}`;
  expect(fresh.out).toContain(`the Region is not prepared for CDK\n  fix: ${fix}\n`);
});

test('deploy passes its settings and options to CDK', async () => {
  const { calls } = await deploy(['--stage', 'test', '-c', 'deliveryDays=9', '--yes', '--role-arn=arn:a']);
  const commands = [`${synth} -c deliveryDays=9 -c stage=test`, diff, deploying];
  expect(calls).toEqual(commands.map((command) => `${command} --role-arn=arn:a`));
});

test('deploy keeps an export until no stack imports it, not even a stack that the settings no longer require', async () => {
  const kept = `${synth} -c stage=test -c keptExports=${old}=a-topic`;
  others = ['IdentityRegistry-test-Protection'];
  const { calls } = await deploy(['--stage', 'test', '--yes']);
  expect(calls).toEqual([`${synth} -c stage=test`, kept, diff, deploying]);
  others = [];
  deployed = { Resources: { ...stack.Resources, alarm: importing } };
  const again = await deploy(['--stage', 'test', '--yes']);
  expect(again.out).toContain('Deploying again to remove exports that stacks no longer import.\n');
  expect(again.calls).toEqual([`${synth} -c stage=test`, kept, diff, deploying, `${synth} -c stage=test`, deploying]);
});

test('the alarms of the stage roll back an update of the service unless the operator disables the rollback', async () => {
  others = ['none', 'IdentityRegistry-test-Observability'];
  alarms = 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:a,arn:aws:cloudwatch:eu-central-1:111122223333:alarm:b';
  const triggers = (arns: string) => arns.split(',').map((arn) => `--rollback-trigger-alarm-arns=${arn}`);
  const guarded = (minutes: number, arns = alarms) => [
    `deploy --app cdk.out IdentityRegistry-test ${triggers(arns).join(' ')} --monitoring-time-minutes=${minutes} --require-approval never`,
    'deploy --app cdk.out --all --require-approval never',
  ];
  const calls = async (...args: string[]) => (await deploy(['--stage', 'test', '--yes', ...args])).calls;
  expect(await calls()).toEqual([`${synth} -c stage=test`, diff, ...guarded(15)]);
  expect(await calls('--monitor', '60')).toEqual([`${synth} -c stage=test`, diff, ...guarded(60)]);
  expect(await calls('--monitor', '0')).toEqual([`${synth} -c stage=test`, diff, deploying]);
  deployed = { Resources: { ...stack.Resources, alarm: importing } };
  laterAlarms = 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:c';
  // The second deployment removes only exports.
  const both = [...guarded(15), ...guarded(0, laterAlarms)];
  expect((await calls()).filter((call) => call.startsWith('deploy'))).toEqual(both);
});

test('deploy lists the resources that an update would destroy, and does not accept --yes', async () => {
  deployed = { Resources: { ...stack.Resources, persons: table('uin'), limits: table('id') } };
  const { code, out, complaint, calls } = await deploy(['--stage', 'test', '--yes']);
  expect([code, calls]).toEqual([1, [`${synth} -c stage=test`, diff]]);
  expect(complaint).toBe('--yes does not allow updates that lose data: deploy without --yes\n');
  const loss = 'would be lost: IdentityRegistry-test DynamoDB GlobalTable';
  expect(out).toContain(`${loss} persons: a different KeySchema creates`);
  expect(out).toContain(`${loss} limits: is no longer in the stack`);
});

test('deploy reports data that the previous release could not read after a rollback, and continues', async () => {
  const rows = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  deployed = { ...stack, Metadata: { storedSchemas: { 'topicRow of the table topics': rows } } };
  template = { ...stack, Metadata: { storedSchemas: { 'topicRow of the table topics': { ...rows, required: [] } } } };
  const { code, out } = await deploy(['--stage', 'test', '--yes']);
  expect(code).toBe(0);
  expect(out).toMatch(/\nno rollback: the previous release cannot read new data: topicRow .*: id may be missing\n/);
});

test('deploy fails if neither the AWS tools nor the stage specify a Region', async () => {
  expect(await deploy(['--stage', 'test'], { AWS_REGION: '', AWS_CONFIG_FILE: 'none' })).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^no Region is set: set AWS_REGION/),
    calls: [],
  });
});

test('deploy stops before synthesis unless the credentials and the settings belong to the stage', async () => {
  const stops = async (args: string[], complaint: RegExp, environment: Record<string, string> = {}) => {
    const result = await deploy(['--stage', 'prod', ...args], environment);
    expect([result.code, result.calls]).toEqual([2, []]);
    expect(result.complaint).toMatch(complaint);
  };
  await stops(['-c', 'journalDays=1'], /^setting journalDays of a production stage belongs in infra\/stages\/prod.ts/);
  await stops(['--account', '444455556666'], /, but the option --account is 444455556666: nothing was changed/);
  await stops([], /, eu-west-3, but the stage prod belongs to the Region eu-central-1/, { AWS_REGION: 'eu-west-3' });
  await stops(['--lift', 'people'], /^--lift: \S+ has no table, bucket, secret, key or vault with the id people\n$/);
  status = undefined;
  await stops(['--first', 'prod-444455556666'], /^there is no Iden\S+ in .*3, .* --first prod-111122223333\n$/);
  [callerAccount, alias] = ['444455556666', 'tests'];
  await stops([], /^the credentials are for account 444455556666 \(tests\), .* belongs to the account 1111/);
});

test.each([
  [[], '--stage is missing: name the deployment, for example --stage prod'],
  [['--stag', 'prod'], 'there is no option --stag: did you mean --stage?'],
  [['--stage', 'prod', '-c', 'firstDeployment=a'], /^set the stage with --stage; firstDeployment and keptExports are/],
  [['--stage', 'prod', 'Registry-prod'], /^deploy always includes all stacks of the stage: remove Registry-prod/],
  [['--stage', 'prod', '--yes'], '--yes needs --account with the number of the account'],
  [['--stage', 'prod', '--account'], '--account needs a value'],
  [['--stage', 'prod', '--lift'], '--lift needs the logical id of a resource'],
  [['--stage', 'prod', '--monitor', '181'], '--monitor must be a whole number from 0 to 180'],
  [['--stage', 'prod', '--region=eu-west-3'], /^--region has no effect: use the setting region/],
])('the options %j are rejected', (args, complaint) => {
  expect(() => readDeployOptions(args)).toThrow(complaint);
});

test('deploy reports a quota that is too low or unknown, and stops if the stage is a production stage', async () => {
  quota = 10;
  const problem = "the account's limit for concurrent executions is 10, but the concurrency setting needs ";
  expect(await deploy(['--stage', 'test', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining(problem) });
  const { code, out, complaint, calls } = await deploy(['--stage', 'prod', '--yes']);
  expect([code, calls]).toEqual([1, [`${synth} -c stage=prod`]]);
  expect(complaint).toContain(': nothing was deployed');
  expect(out).toContain(`${problem}900\n  fix: request a higher quota`);
  quota = undefined;
  const unknown = await deploy(['--stage', 'prod', '--yes']);
  expect(unknown.code).toBe(0);
  expect(unknown.out).toContain('not checked (lambda:GetAccountSettings): AccessDenied');
});

test('deploy reports example values, an empty scopePrefix in production, and stacks that the stage no longer requires', async () => {
  others = ['IdentityRegistry-prod-Network'];
  const { code, out } = await deploy(['--stage', 'prod', '--yes', '-c', 'emailSender=registry@government.test']);
  expect(code).toBe(0);
  expect(out.split('\n')).toMatchObject([
    `Stage prod: account ${account}, ${region}`,
    'not changed from the example: oidcIssuer, oidcJwksUri, oidcTokenUrl, institutionContact, alarmEmail',
    'scopePrefix is empty: scopes of all resource servers of the issuer are accepted',
    expect.stringMatching(/^IdentityRegistry-prod-Network exists, but no setting .*delete-stack --stack-name \S+k$/),
    ...out.split('\n').slice(4),
  ]);
  expect((await deploy(['--stage', 'dev', '--yes'])).out).not.toMatch(/not changed from the example|scopePrefix/);
});

test('destroy deletes stacks with the AWS CLI, but stops if the credentials are for another Region or account', async () => {
  const destroy = (stage: string, named: string) =>
    deploy(['--stage', stage, '--yes', '--account', named], { AWS_REGION: 'eu-west-3' }, 'destroy.ts');
  for (const [stage, named, reason] of [
    ['prod', account, /, but the stage prod belongs to the Region eu-central-1: nothing was changed\n$/],
    ['test', '444455556666', /, but the option --account is 444455556666: nothing was changed\n$/],
  ] as const)
    expect(await destroy(stage, named)).toMatchObject({ code: 2, calls: [], complaint: expect.stringMatching(reason) });
  const { calls } = await destroy('test', account);
  const stack = 'IdentityRegistry-test-Protection';
  expect(calls).toContain(`--region eu-west-3 cloudformation delete-stack --stack-name ${stack}`);
});

test('deploy requires a terminal or --yes', async () => {
  expect(await deploy(['--stage', 'prod'])).toMatchObject({
    code: 2,
    complaint: 'deploying requires confirmation: run the command in a terminal, or add --yes\n',
    calls: [`${synth} -c stage=prod`, diff],
  });
});

test.each(['prod\n', 'y\n', '\n', ''])("deploy accepts only the stage's name as confirmation: %j", async (answer) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(answer);
  expect(await confirm('Deploy?', 'prod', input, output)).toBe(answer === 'prod\n');
  expect(String(output.read())).toContain('Deploy? Type prod to continue:');
});
