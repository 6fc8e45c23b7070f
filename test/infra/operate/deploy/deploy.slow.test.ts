import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { confirm } from '../../../../infra/operate/deploy/ask.ts';
import { listenLocally } from '../../../harness/local-server.ts';
import { runProgram } from '../../../harness/run-program.ts';

const script = join(import.meta.dirname, '../../../../infra/operate/deploy.ts');
const here = mkdtempSync(join(tmpdir(), 'deploy-'));
const table = (name: string) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'RetainExceptOnCreate',
  Properties: { KeySchema: [{ AttributeName: name, KeyType: 'HASH' }] },
});
const old = 'IdentityRegistry-test:ExportsOutputRefold';
const stack = { Resources: { persons: table('id'), topics: table('uuid') } };

// Replaces CDK: records the arguments, and synthesizes a stack with the given template.
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

let status: string | undefined;
let template: object = stack;
let deployed: object = stack;
let others: string[] = [];
let quota: number | undefined;
const escaped = (json: string): string => json.replaceAll('"', '&quot;');
// Replaces CloudFormation and Lambda: returns the stage's first stack with this status and template, or no stack.
const cloudFormation = createServer(async (request, response) => {
  if (request.url?.startsWith('/2016-08-19/account-settings')) {
    response.setHeader('content-type', 'application/json');
    if (quota === undefined) return void response.writeHead(403, { 'x-amzn-errortype': 'AccessDenied' }).end('{}');
    return void response.end(JSON.stringify({ AccountLimit: { ConcurrentExecutions: quota } }));
  }
  const form = new URLSearchParams(await text(request));
  response.setHeader('content-type', 'text/xml');
  const name = form.get('StackName') ?? '';
  if (status === undefined || (/-.*-/.test(name) && !others.includes(name))) {
    const message = `Stack with id ${name} does not exist`;
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error>`;
    return void response.writeHead(400).end(`<ErrorResponse>${error}</ErrorResponse>`);
  }
  const output = `<member><OutputKey>a</OutputKey><OutputValue>a-topic</OutputValue><ExportName>${old}</ExportName></member>`;
  const described = `<Stacks><member><StackName>a</StackName><StackStatus>${status}</StackStatus><Outputs>${output}</Outputs></member></Stacks>`;
  const its = name === others[0] ? { Resources: { alarm: { 'Fn::ImportValue': old } } } : deployed;
  const body = `<TemplateBody>${escaped(JSON.stringify(its))}</TemplateBody>`;
  const action = form.get('Action');
  const result = action === 'DescribeStacks' ? described : body;
  response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
});
const url = await listenLocally(cloudFormation);
afterAll(() => {
  cloudFormation.close();
  rmSync(here, { recursive: true });
});

beforeEach(() => {
  [status, template, deployed, others, quota] = ['UPDATE_COMPLETE', stack, stack, [], 1000];
});

async function deploy(args: string[], environment: Record<string, string> = {}) {
  writeFileSync(join(here, 'calls'), '');
  const env = {
    PATH: [join(here, 'bin'), process.env.PATH].join(delimiter),
    ...{ AWS_REGION: 'eu-west-3', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
    AWS_ENDPOINT_URL_CLOUDFORMATION: url,
    AWS_ENDPOINT_URL_LAMBDA: url,
    TEMPLATE: JSON.stringify(template),
    ...environment,
  };
  const result = await runProgram(process.execPath, [script, ...args], { cwd: here, env });
  const calls = readFileSync(join(here, 'calls'), 'utf8').split('\n').filter(Boolean);
  return { ...result, calls };
}

const synth = 'synth --quiet --strict --output cdk.out';
const diff = 'diff --app cdk.out --all';
const deploying = 'deploy --app cdk.out --all --require-approval never';

test('deploy shows the diff of all stacks and then deploys them', async () => {
  expect(await deploy(['--stage', 'prod', '--yes'])).toMatchObject({
    code: 0,
    complaint: '',
    out: expect.stringMatching(/^not changed from .*\nscopePrefix is empty: .*\nprod is deployed/),
    calls: [`${synth} -c stage=prod`, diff, deploying],
  });
});

test.each([undefined, 'ROLLBACK_COMPLETE'])('deploy deploys a new production stack (%s) twice', async (before) => {
  status = before;
  deployed = { Resources: {} };
  expect(await deploy(['--stage', 'prod', '--yes'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^First deployment of IdentityRegistry-prod\. .*\nnot changed from .*\nscopePrefix is empty: .*\nDeploying again .*\nprod is dep/,
    ),
    calls: [
      `${synth} -c stage=prod`,
      ...[`${synth} -c stage=prod -c firstDeployment=IdentityRegistry-prod`, diff, deploying],
      ...[`${synth} -c stage=prod`, deploying],
    ],
  });
  expect((await deploy(['--stage', 'test', '--yes'])).calls).toEqual([`${synth} -c stage=test`, diff, deploying]);
});

test('deploy passes settings and options to CDK', async () => {
  const { calls } = await deploy(['--stage', 'test', '-c', 'deliveryDays=9', '--yes', '--role-arn=arn:a']);
  expect(calls).toEqual([
    `${synth} -c deliveryDays=9 -c stage=test --role-arn=arn:a`,
    `${diff} --role-arn=arn:a`,
    `${deploying} --role-arn=arn:a`,
  ]);
});

test('deploy keeps an export until no stack imports it, and for as long as a stack without a setting does', async () => {
  const kept = `${synth} -c stage=test -c keptExports=${old}=a-topic`;
  others = ['IdentityRegistry-test-Protection'];
  const { calls } = await deploy(['--stage', 'test', '--yes']);
  expect(calls).toEqual([`${synth} -c stage=test`, kept, diff, deploying]);
  others = [];
  deployed = {
    Resources: {
      ...stack.Resources,
      alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { 'Fn::ImportValue': old } },
    },
  };
  const again = await deploy(['--stage', 'test', '--yes']);
  expect(again.out).toContain('Deploying again to remove exports that no stack imports any longer.\n');
  expect(again.calls).toEqual([`${synth} -c stage=test`, kept, diff, deploying, `${synth} -c stage=test`, deploying]);
});

test('deploy lists the resources that an update would destroy, and rejects --yes', async () => {
  deployed = { Resources: { ...stack.Resources, persons: table('uin'), limits: table('id') } };
  const { code, out, complaint, calls } = await deploy(['--stage', 'test', '--yes']);
  expect([code, calls]).toEqual([1, [`${synth} -c stage=test`, diff]]);
  expect(complaint).toBe('--yes does not allow updates that lose data: deploy without it\n');
  expect(out).toContain(
    'would be lost: IdentityRegistry-test DynamoDB GlobalTable persons: a different KeySchema creates a new, empty resource',
  );
  expect(out).toContain('would be lost: IdentityRegistry-test DynamoDB GlobalTable limits: is no longer in the stack');
});

test('deploy reports data that the previous release could not read after a rollback, but continues', async () => {
  const rows = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  deployed = { ...stack, Metadata: { storedSchemas: { 'topicRow of the table topics': rows } } };
  template = { ...stack, Metadata: { storedSchemas: { 'topicRow of the table topics': { ...rows, required: [] } } } };
  const { code, out } = await deploy(['--stage', 'test', '--yes']);
  expect([code, out.split('\n')[1]]).toEqual([
    0,
    'no rollback: the previous release cannot read new data: topicRow of the table topics: id may be missing',
  ]);
});

test('deploy fails if no Region is set', async () => {
  expect(await deploy(['--stage', 'test'], { AWS_REGION: '', AWS_CONFIG_FILE: 'none' })).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^no Region is set: set AWS_REGION/),
    calls: [],
  });
});

test.each([
  [[], '--stage is missing: name the deployment, for example --stage prod'],
  [['--stag', 'prod'], 'there is no option --stag: did you mean --stage?'],
  [
    ['--stage', 'prd', '--yes'],
    /^there is no stage prd: the stages are dev, prod, test; create infra\/stages\/prd.ts /,
  ],
  [['--stage', 'prod', '-c', 'deliveryDay=7'], /^there is no setting deliveryDay \(context\): infra\/README.md lists/],
  [['--stage', 'prod', '-c', 'firstDeployment=a'], /^set the stage with --stage; firstDeployment and keptExports are/],
  [['--stage', 'prod', 'Registry-prod'], /^deploy always includes all stacks of the stage: remove Registry-prod/],
])('deploy rejects invalid arguments before it starts: %j', async (args, complaint) => {
  const result = await deploy(args);
  expect([result.code, result.calls]).toEqual([2, []]);
  expect(result.complaint.trimEnd()).toMatch(complaint);
});

test('deploy reports an account quota that is too low, and a missing permission to read quotas', async () => {
  quota = 10;
  expect((await deploy(['--stage', 'test', '--yes', '-c', 'concurrency=700'])).out).toContain(
    'account limit: the account allows 10 concurrent executions, but the stage needs 700:',
  );
  quota = undefined;
  expect((await deploy(['--stage', 'test', '--yes'])).out).toContain('(lambda:GetAccountSettings): AccessDenied');
});

test('deploy reports example values, an empty scopePrefix in production, and stacks that are no longer required', async () => {
  others = ['IdentityRegistry-prod-Network'];
  const { code, out } = await deploy(['--stage', 'prod', '--yes', '-c', 'emailSender=registry@government.test']);
  expect(code).toBe(0);
  expect(out.split('\n')).toMatchObject([
    'not changed from the example: oidcIssuer, oidcJwksUri, oidcTokenUrl, alarmEmail',
    'scopePrefix is empty: scopes of all resource servers of the issuer are accepted',
    expect.stringMatching(/^IdentityRegistry-prod-Network exists, but no setting .*delete-stack --stack-name \S+k$/),
    ...out.split('\n').slice(3),
  ]);
  expect((await deploy(['--stage', 'dev', '--yes'])).out).not.toMatch(/not changed from the example|scopePrefix/);
});

test('deploy requires a terminal or --yes', async () => {
  expect(await deploy(['--stage', 'prod'])).toMatchObject({
    code: 2,
    complaint: 'deploying requires confirmation: run the command in a terminal, or add --yes\n',
    calls: [`${synth} -c stage=prod`, diff],
  });
});

test('deploy stops when CDK fails', async () => {
  expect(await deploy(['--stage', 'prod', '--yes'], { FAILING: 'deploy' })).toMatchObject({
    code: 1,
    complaint: 'cdk deploy failed with 3\n',
    calls: [`${synth} -c stage=prod`, diff, deploying],
  });
});

test.each([
  ['prod\n', true],
  ['y\n', false],
  ['\n', false],
  ['', false],
])('the input %j confirms the deployment: %s', async (answer, agreed) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(answer);
  expect(await confirm('Deploy?', 'prod', input, output)).toBe(agreed);
  expect(String(output.read())).toContain('Deploy? Type prod to continue:');
});
