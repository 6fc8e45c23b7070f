import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../infra/local/start.ts';
import { jobOutput } from '../../../shared/contract/deployment-names.ts';
import { jobs, sweep } from '../../../shared/contract/jobs.ts';
import { listenLocally } from '../../harness/local-server.ts';
import { runProgram } from '../../harness/run-program.ts';
import { createAssembly } from './assembly.ts';

const script = join(import.meta.dirname, '../../../infra/local/invoke.ts');
const here = mkdtempSync(join(tmpdir(), 'invoke-'));

/** Runs the invoke command in the folder that contains the outputs of the stack. */
async function invoke(args: string[], environment: Record<string, string> = {}, cwd = here) {
  const env = { PATH: process.env.PATH, ...environment };
  const { complaint: errorOutput, ...result } = await runProgram(process.execPath, [script, ...args], { cwd, env });
  return { ...result, errorOutput };
}

const names = jobs.map(({ job }) => job);
const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const rejected = (errorOutput: string, code = 1) => ({ code, out: '', errorOutput: `${errorOutput}\n` });
const since = '2026-11-20T08:00:00Z';

describe('invoke with a local stack', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    const assembly = createAssembly();
    assembly.addFunction('sweep', 'export const handler = async (event) => ({ resumed: 2, event });');
    assembly.addFunction('redeliver', "export const handler = () => { throw new RangeError('no\\n\\n deliveries'); };");
    assembly.addFunction(
      'readJournal',
      `export const handler = async ({ cursor }) =>
        cursor === 'b' ? { rows: [{ at: 3 }] } : { rows: [{ at: 1 }, { at: 2 }], next: 'b' };`,
    );
    assembly.addApi({});
    stack = await startLocalStack({ assembly: assembly.write(), onLog: () => {} });
    mkdirSync(join(here, '.local'));
    writeFileSync(join(here, '.local/outputs.json'), JSON.stringify(stack.outputs));
  });
  afterAll(() => stack?.stop());

  test("invoke runs a job and prints the job's result", async () => {
    const result = (event: object) => {
      return { code: 0, out: `{"resumed":2,"event":${JSON.stringify(event)}}\n`, errorOutput: '' };
    };
    expect(await invoke(['sweep'])).toEqual(result({}));
    expect(await invoke(['sweep', '{"a":1}', '--port', new URL(stack.outputs.baseUrl).port])).toEqual(result({ a: 1 }));
  });

  test('invoke prints the rows of all pages, one per line, and the number of rows on standard error', async () => {
    const out = '{"at":1}\n{"at":2}\n{"at":3}\n';
    expect(await invoke(['readJournal', '{"uin":"1"}'])).toEqual({ code: 0, out, errorOutput: '3 rows\n' });
  });

  test('invoke prints the failure of a job in one line', async () => {
    const result = rejected('redeliver failed: RangeError no deliveries');
    expect(await invoke(['redeliver', `{"since":"${since}"}`])).toEqual(result);
  });

  test.each([
    ['redeliver', '{"since":1}', 'since must be a time such as 2026-11-20T08:00:00Z or 2026-11-20T10:00:00+02:00'],
    ['redeliver', '{}', 'expected messageId (with or without subscription), subscription or since'],
    ['allowRequests', '{}', 'address must be an email address, such as ann@example.org'],
    ['unsuppress', '{"address":"a@b.org","x":1}', 'unknown field x'],
    ['allowRequests', '1', 'expected address'],
  ])('invoke %s rejects the input %s with a one-line error and exit code 2', async (job, input, reason) => {
    expect(await invoke([job, input])).toEqual(rejected(`${input} is not valid input for ${job}: ${reason}`, 2));
  });

  test('invoke rejects unknown jobs, invalid JSON, and folders and ports where no stack is running', async () => {
    expect(await invoke(['sweap'])).toEqual(rejected(`no such job: sweap. Jobs are ${listed}.`, 2));
    const { code, errorOutput } = await invoke(['sweep', '{a']);
    expect([code, errorOutput]).toEqual([2, expect.stringMatching(/^\{a is not valid JSON: .+\n$/)]);
    const missing = 'Start one with npm start, or use --stack NAME for a stack on AWS.';
    expect(await invoke(['sweep', '--port', '1'])).toEqual(rejected(`no stack is running at port 1. ${missing}`));
    expect(await invoke(['sweep'], {}, tmpdir())).toEqual(rejected(`no stack is running here. ${missing}`));
  });
});

describe('invoke with a stack on AWS', () => {
  const calls: string[] = [];
  const described = (key: string) => `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
    <StackName>Registry</StackName><CreationTime>2026-11-20T08:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
    <Outputs><member><OutputKey>baseUrl</OutputKey><OutputValue>https://a.example</OutputValue></member>
    <member><OutputKey>${key}</OutputKey><OutputValue>Registry-sweep-1</OutputValue></member></Outputs>
  </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const missing = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
    <Message>Stack with id Other does not exist</Message></Error></ErrorResponse>`;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    calls.push(`${request.method} ${request.url} ${body}`);
    if (request.url !== '/') return void response.end('{"resumed":3}');
    const name = new URLSearchParams(body).get('StackName');
    response.setHeader('content-type', 'text/xml');
    if (name === 'Other') return void response.writeHead(400).end(missing);
    response.end(described(name === 'Old' ? 'sweepArn' : jobOutput(sweep)));
  });
  let environment: Record<string, string>;

  beforeAll(async () => {
    const url = await listenLocally(server);
    environment = {
      ...{ AWS_REGION: 'eu-west-3', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
      ...{ AWS_ENDPOINT_URL_CLOUDFORMATION: url, AWS_ENDPOINT_URL_LAMBDA: url },
    };
  });
  afterAll(() => void server.close());

  test('invoke explains which variable to set if no Region is set', async () => {
    const { code, errorOutput } = await invoke(['sweep', '--stack', 'Registry'], { AWS_CONFIG_FILE: 'none' });
    expect([code, errorOutput]).toEqual([1, expect.stringMatching(/^no Region is set: set AWS_REGION/)]);
  });

  test('invoke calls the function whose name is in the outputs of the stack', async () => {
    const result = { code: 0, out: '{"resumed":3}\n', errorOutput: '' };
    expect(await invoke(['sweep', '{"a":1}', '--stack', 'Registry'], environment)).toEqual(result);
    expect(calls).toEqual([
      expect.stringMatching(/^POST \/ .*Action=DescribeStacks.*StackName=Registry|StackName=Registry.*Action=Describe/),
      'POST /2015-03-31/functions/Registry-sweep-1/invocations {"a":1}',
    ]);
  });

  test.each([
    ['Other', 'Stack with id Other does not exist'],
    ['Old', 'the stack Old has no output sweepFunction. Deploy the stack again.'],
  ])('invoke explains the problem with the stack %s', async (name, errorOutput) => {
    expect(await invoke(['sweep', '--stack', name], environment)).toEqual(rejected(errorOutput));
  });
});
