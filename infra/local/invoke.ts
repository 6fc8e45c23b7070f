import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { jsonSchema } from '../../shared/contract/json-schema.ts';
import { jobOutput } from '../job-output.ts';
import { readCommand } from '../operate/command-line.ts';
import { regionOf } from '../settings/region.ts';
import { createPaint } from './console/terminal.ts';
import { outputsOf } from './template/outputs-file.ts';

// Runs a job once, on the laptop or on AWS, and prints its answer, rows as NDJSON: `npm run -s invoke -- sweep`.

const jobNames = jobs.map(({ job }) => job);
const listed = (type: 'conjunction' | 'disjunction') => new Intl.ListFormat('en-GB', { type }).format(jobNames);

const usage = `npm run -s invoke -- JOB ['JSON'] [--port N] [--stack NAME]

  JOB           ${listed('disjunction')}
  JSON          what the job is to do; {} unless given
  --port N      the laptop's stack with this port, where several run
  --stack NAME  the stack of this name on AWS, by the credentials and region of the AWS tools`;

type Issue = NonNullable<ReturnType<Job['input']['safeParse']>['error']>['issues'][number];

type Fields = { readonly properties?: object; readonly required?: string[] };

/** The fields that each alternative of the input has: `messageId (with or without subscription), subscription or since`. */
function choices(input: Job['input']): string {
  const schema = jsonSchema(input) as Fields & { anyOf?: Fields[] };
  const texts = (schema.anyOf ?? [schema]).map(({ properties = {}, required = [] }) => {
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    return required.join(' and ') + (optional.length > 0 ? ` (with or without ${optional.join(', ')})` : '');
  });
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts);
}

/** What is wrong with the input, said of the alternative that it comes closest to; where none is, what there are. */
function describe(issues: readonly Issue[], input: Job['input']): string {
  const [issue] = issues;
  if (issue?.code === 'invalid_union' && issue.errors.length > 0) {
    const [closest = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
    return closest.length === next?.length ? `give ${choices(input)}` : describe(closest, input);
  }
  const said = issues.map((one) => {
    if (one.code === 'unrecognized_keys') return `it has no ${one.keys.join(', ')}`;
    return one.path.length === 0 ? `give ${choices(input)}` : [...one.path, one.message].join(' ');
  });
  return said.join(', ');
}

function readInput(job: Job, text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${text} is not JSON: ${(error as Error).message}`);
  }
  const parsed = job.input.safeParse(value);
  if (!parsed.success) throw new Error(`${job.job} does not take ${text}: ${describe(parsed.error.issues, job.input)}`);
  return text;
}

// A job that was called once runs once: a second call could do its work twice.
const once = { maxAttempts: 1 };

async function functionOnAws(StackName: string, job: Job): Promise<{ lambda: LambdaClient; name: string }> {
  const cloudformation = new CloudFormationClient({});
  await regionOf(cloudformation);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const name = outputs.find(({ OutputKey }) => OutputKey === jobOutput(job))?.OutputValue;
  if (name === undefined) throw new Error(`the stack ${StackName} has no output ${jobOutput(job)}: deploy it again`);
  return { lambda: new LambdaClient(once), name };
}

async function functionHere(port: string | undefined, job: Job): Promise<{ lambda: LambdaClient; name: string }> {
  const outputs = await outputsOf(port);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const local = { endpoint: outputs.lambdaEndpoint, region: 'us-east-1', credentials };
  return { lambda: new LambdaClient({ ...once, ...local }), name: job.job };
}

interface Rows {
  readonly rows: readonly object[];
  readonly next?: string;
}

const isRows = (result: unknown): result is Rows => Array.isArray((result as Partial<Rows> | null)?.rows);

/** Prints what a job answers, a line a row where it answers rows: all of its pages, each of which begins at the cursor of the last. */
async function printAll(given: string, run: (input: string) => Promise<unknown>, onFirst: () => void): Promise<void> {
  let count = 0;
  for (let input = given; ; ) {
    const result = await run(input);
    onFirst();
    if (!isRows(result)) return console.log(JSON.stringify(result));
    for (const row of result.rows) console.log(JSON.stringify(row));
    count += result.rows.length;
    // Beside what is printed, which may be a file: no rows are an answer, too.
    if (result.next === undefined) return console.error(`${count} rows`);
    input = JSON.stringify({ ...JSON.parse(given), cursor: result.next });
  }
}

async function main(): Promise<void> {
  const options = { stack: { type: 'string' }, port: { type: 'string' } } as const;
  const { values, positionals } = readCommand(options, usage, 'npm run -s invoke -- --help', 2);
  const [wanted, text = '{}'] = positionals;
  if (wanted === undefined) {
    process.exitCode = 1;
    return console.error(usage);
  }
  const job = (jobs as readonly Job[]).find((one) => one.job === wanted);
  if (!job) throw new Error(`there is no job ${wanted}: there are ${listed('conjunction')}`);
  const given = readInput(job, text);

  const progress = setTimeout(() => console.error(`${job.job} is at work ...`), 2000);
  const { lambda, name } = await (values.stack === undefined
    ? functionHere(values.port, job)
    : functionOnAws(values.stack, job));
  const run = async (Payload: string): Promise<unknown> => {
    const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload }));
    const result: unknown = JSON.parse(answer.Payload?.transformToString() || 'null');
    if (answer.FunctionError === undefined) return result;
    const { errorType = answer.FunctionError, errorMessage = '' } = result as Record<string, string>;
    throw new Error(`${job.job} failed: ${errorType} ${errorMessage}`);
  };
  await printAll(given, run, () => clearTimeout(progress));
}

main().catch((error: Error) => {
  // Some errors of the AWS clients have their reason in the name alone.
  const line = (error.message || error.name).replace(/\s+/g, ' ').trim();
  console.error(createPaint(process.stderr, process.env).red(line));
  process.exit(1);
});
