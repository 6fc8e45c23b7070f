import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ask } from '../../../../infra/operate/deploy/ask.ts';

const script = join(import.meta.dirname, '../../../../infra/operate/deploy.ts');
const here = mkdtempSync(join(tmpdir(), 'deploy-'));
const table = (name: string) => ({
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: 'RetainExceptOnCreate',
  Properties: { KeySchema: [{ AttributeName: name, KeyType: 'HASH' }] },
});
const stack = { Resources: { persons: table('id'), topics: table('uuid') } };

// In place of CDK: it writes down how it was called, and synthesizes a stack of the given template.
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
// In place of CloudFormation: it knows the stage's first stack with this status and template, or none. And of Lambda.
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
  const described = `<Stacks><member><StackName>a</StackName><StackStatus>${status}</StackStatus></member></Stacks>`;
  const body = `<TemplateBody>${escaped(JSON.stringify(deployed))}</TemplateBody>`;
  const action = form.get('Action');
  const result = action === 'DescribeStacks' ? described : body;
  response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
});
cloudFormation.listen(0, '127.0.0.1');
await once(cloudFormation, 'listening');
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
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
    AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
    TEMPLATE: JSON.stringify(template),
    ...environment,
  };
  const child = spawn(process.execPath, [script, ...args], { cwd: here, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const calls = readFileSync(join(here, 'calls'), 'utf8').split('\n').filter(Boolean);
  return { code, out, complaint, calls };
}

const synth = 'synth --quiet --strict --output cdk.out';
const diff = 'diff --app cdk.out --all';
const deploying = 'deploy --app cdk.out --all --force --require-approval never';

test('shows the diff of all stacks, and deploys them', async () => {
  expect(await deploy(['--stage', 'prod', '--yes'])).toMatchObject({
    code: 0,
    complaint: '',
    out: expect.stringMatching(/^still as .*\nprod is deployed/),
    calls: [`${synth} -c stage=prod`, diff, deploying],
  });
});

test.each([undefined, 'ROLLBACK_COMPLETE'])(
  'where CloudFormation has nothing of a production stage (%s), it is deployed twice',
  async (before) => {
    status = before;
    deployed = { Resources: {} };
    expect(await deploy(['--stage', 'prod', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^The first deployment of IdentityRegistry-prod: .*\nstill as .*\nAnd once more, .*\nprod is dep/,
      ),
      calls: [
        `${synth} -c stage=prod`,
        ...[`${synth} -c stage=prod -c firstDeployment=IdentityRegistry-prod`, diff, deploying],
        ...[`${synth} -c stage=prod`, deploying],
      ],
    });
    expect((await deploy(['--stage', 'test', '--yes'])).calls).toEqual([`${synth} -c stage=test`, diff, deploying]);
  },
);

test('passes settings and options on', async () => {
  const { calls } = await deploy(['--stage', 'test', '-c', 'ledgerDays=9', '--yes', '--role-arn=arn:a']);
  expect(calls).toEqual([
    `${synth} -c ledgerDays=9 -c stage=test --role-arn=arn:a`,
    `${diff} --role-arn=arn:a`,
    `${deploying} --role-arn=arn:a`,
  ]);
});

test('names what the update would lose of what is deployed, and does not go on without a person', async () => {
  deployed = { Resources: { ...stack.Resources, persons: table('uin'), limits: table('id') } };
  const { code, out, complaint, calls } = await deploy(['--stage', 'test', '--yes']);
  expect([code, calls]).toEqual([1, [`${synth} -c stage=test`, diff]]);
  expect(complaint).toBe('--yes does not agree to what would be lost: deploy it by hand\n');
  expect(out).toContain(
    'would be lost: IdentityRegistry-test DynamoDB Table persons: another KeySchema makes a new one',
  );
  expect(out).toContain('would be lost: IdentityRegistry-test DynamoDB Table limits: is no longer in the stack');
});

test('names what a rollback would lose, and goes on', async () => {
  const rows = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  deployed = { ...stack, Metadata: { forms: { 'topicRow of the table topics': rows } } };
  template = { ...stack, Metadata: { forms: { 'topicRow of the table topics': { ...rows, required: [] } } } };
  const { code, out } = await deploy(['--stage', 'test', '--yes']);
  expect([code, out.split('\n')[1]]).toEqual([
    0,
    'no way back: what is written from then on the release before does not read: topicRow of the table topics: id may be missing',
  ]);
});

test('says where no Region is set', async () => {
  expect(await deploy(['--stage', 'test'], { AWS_REGION: '', AWS_CONFIG_FILE: 'none' })).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^no Region is set: AWS_REGION=/),
    calls: [],
  });
});

test.each([
  [[], '--stage says which deployment is meant, such as --stage prod'],
  [['--stag', 'prod'], 'there is no option --stag: is --stage meant?'],
  [['--stage', 'prd', '--yes'], 'there is no stage prd (dev, prod, test): infra/stages/prd.ts would be its file'],
  [['--stage', 'prod', '-c', 'ledgerDay=7'], 'there is no setting ledgerDay (context): infra/README.md lists them'],
  [['--stage', 'prod', '-c', 'firstDeployment=a'], /^stage is given by --stage, and whether it is the first/],
  [
    ['--stage', 'prod', 'IdentityRegistry-prod'],
    /^all stacks of the stage are deployed: leave out IdentityRegistry-prod/,
  ],
])('stops before it begins: %j', async (args, complaint) => {
  const result = await deploy(args);
  expect([result.code, result.calls]).toEqual([1, []]);
  expect(result.complaint.trimEnd()).toMatch(complaint);
});

test('says what the account cannot hold, also where it may not ask', async () => {
  quota = 10;
  expect((await deploy(['--stage', 'test', '--yes', '-c', 'concurrency=700'])).out).toContain(
    'does not fit: the account runs 10 functions at once, the stage counts on 700: ',
  );
  quota = undefined;
  expect((await deploy(['--stage', 'test', '--yes'])).out).toContain('(lambda:GetAccountSettings): AccessDenied');
});

test('says which settings nobody has filled in', async () => {
  const { out } = await deploy(['--stage', 'prod', '--yes', '-c', 'emailSender=registry@government.test']);
  expect(out).toContain('still as in the example: oidcIssuer, oidcJwksUri, oidcTokenUrl, alarmEmail\n');
  expect((await deploy(['--stage', 'dev', '--yes'])).out).not.toContain('still as in the example');
});

test('names the stacks that no setting asks for any more', async () => {
  others = ['IdentityRegistry-prod-Network'];
  const { code, out } = await deploy(['--stage', 'prod', '--yes']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^still as .*\nIdentityRegistry-prod-Network is there, and no setting asks .*delete-stack --stack-name \S+k\n/,
  );
});

test('with nobody to ask nothing is deployed', async () => {
  expect(await deploy(['--stage', 'prod'])).toMatchObject({
    code: 1,
    complaint: 'nobody is there to be asked: --yes deploys without asking\n',
    calls: [`${synth} -c stage=prod`, diff],
  });
});

test('where CDK fails it stops', async () => {
  expect(await deploy(['--stage', 'prod', '--yes'], { FAILING: 'deploy' })).toMatchObject({
    code: 1,
    complaint: 'cdk deploy ended with 3\n',
    calls: [`${synth} -c stage=prod`, diff, deploying],
  });
});

test.each([
  ['prod\n', true],
  ['y\n', false],
  ['\n', false],
  ['', false],
])('who is asked and answers %j has agreed: %s', async (answer, agreed) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(answer);
  expect(await ask('Deploy?', 'prod', input, output)).toBe(agreed);
  expect(String(output.read())).toContain('Deploy? Write prod to go on: ');
});
