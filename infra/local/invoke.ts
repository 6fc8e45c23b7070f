import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Job } from '../../shared/contract/background-functions.ts';
import { jobOutput } from '../../shared/contract/deployment-names.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { jsonSchema } from '../../shared/contract/schemas.ts';
import { endWith, lineOf, OptionError, readCommand, usageError } from '../operate/command-line.ts';
import { regionOf } from '../settings/region.ts';
import { outputsOf } from './aws/template/outputs.ts';

// Runs a job once, locally or on AWS, and prints its result: `npm run -s invoke -- sweep`. Rows are printed as NDJSON.

const jobNames = jobs.map(({ job }) => job);
const listed = (type: 'conjunction' | 'disjunction') => new Intl.ListFormat('en-GB', { type }).format(jobNames);

const usage = `npm run -s invoke -- JOB ['JSON'] [--port N] [--stack NAME]

  JOB           ${listed('disjunction')}
  JSON          input of the job (default: {})
  --port N      the local stack at this port, if several run
  --stack NAME  the stack on AWS, with the default credentials and region`;

type Issue = NonNullable<ReturnType<Job['input']['safeParse']>['error']>['issues'][number];

type Fields = { readonly properties?: object; readonly required?: string[] };

/** Lists the required fields of each alternative input of a job, with optional fields in parentheses. */
function choices(input: Job['input']): string {
  const schema = jsonSchema(input) as Fields & { anyOf?: Fields[] };
  const texts = (schema.anyOf ?? [schema]).map(({ properties = {}, required = [] }) => {
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    return required.join(' and ') + (optional.length > 0 ? ` (with or without ${optional.join(', ')})` : '');
  });
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts);
}

/**
 * Describes the errors in the input. If a job accepts alternative inputs, describes the errors for the most similar
 * alternative, or lists all alternatives.
 */
function describe(issues: readonly Issue[], input: Job['input']): string {
  const [issue] = issues;
  if (issue?.code === 'invalid_union' && issue.errors.length > 0) {
    const [closest = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
    return closest.length === next?.length ? `expected ${choices(input)}` : describe(closest, input);
  }
  const messages = issues.map((one) => {
    if (one.code === 'unrecognized_keys') return `unknown field ${one.keys.join(', ')}`;
    return one.path.length === 0 ? `expected ${choices(input)}` : [...one.path, one.message].join(' ');
  });
  return messages.join(', ');
}

function readInput(job: Job, text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OptionError(`${text} is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = job.input.safeParse(value);
  if (!parsed.success)
    throw new OptionError(`${text} is not valid input for ${job.job}: ${describe(parsed.error.issues, job.input)}`);
  return text;
}

// Disables retries, because a second invocation could repeat the work.
const once = { maxAttempts: 1 };

async function awsFunction(StackName: string, job: Job): Promise<{ lambda: LambdaClient; name: string }> {
  const cloudformation = new CloudFormationClient({});
  await regionOf(cloudformation);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const name = outputs.find(({ OutputKey }) => OutputKey === jobOutput(job))?.OutputValue;
  if (name === undefined)
    throw new Error(`the stack ${StackName} has no output ${jobOutput(job)}. Deploy the stack again.`);
  return { lambda: new LambdaClient(once), name };
}

async function localFunction(port: string | undefined, job: Job): Promise<{ lambda: LambdaClient; name: string }> {
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

/** Prints the result of a job. If the result contains rows, reads all pages and prints each row as a line. */
async function printAll(given: string, run: (input: string) => Promise<unknown>, onFirst: () => void): Promise<void> {
  let count = 0;
  for (let input = given; ; ) {
    const result = await run(input);
    onFirst();
    if (!isRows(result)) return console.log(JSON.stringify(result));
    for (const row of result.rows) console.log(JSON.stringify(row));
    count += result.rows.length;
    // Prints the number of rows to standard error, because standard output may be redirected to a file.
    if (result.next === undefined) return console.error(`${count} rows`);
    input = JSON.stringify({ ...JSON.parse(given), cursor: result.next });
  }
}

async function main(): Promise<void> {
  const options = { stack: { type: 'string' }, port: { type: 'string' } } as const;
  const asked = 'npm run -s invoke -- --help';
  const { values, positionals } = readCommand(options, usage, asked, 2);
  const [wanted, text = '{}'] = positionals;
  if (wanted === undefined) throw usageError('Name a job', asked);
  const job = (jobs as readonly Job[]).find((one) => one.job === wanted);
  if (!job) throw new OptionError(`no such job: ${wanted}. Jobs are ${listed('conjunction')}.`);
  const given = readInput(job, text);

  const progress = setTimeout(() => console.error(`${job.job} is running ...`), 2000);
  const { lambda, name } = await (values.stack === undefined
    ? localFunction(values.port, job)
    : awsFunction(values.stack, job));
  const run = async (Payload: string): Promise<unknown> => {
    const response = await lambda.send(new InvokeCommand({ FunctionName: name, Payload }));
    const result: unknown = JSON.parse(response.Payload?.transformToString() || 'null');
    if (response.FunctionError === undefined) return result;
    const { errorType = response.FunctionError, errorMessage = '' } = result as Record<string, string>;
    throw new Error(`${job.job} failed: ${errorType} ${errorMessage}`);
  };
  await printAll(given, run, () => clearTimeout(progress));
}

main().catch((error: Error) => endWith(error, lineOf(error)));
