import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hasExited } from '../../npm-ancestors.ts';
import type { Service } from '../emulators/aws-call.ts';
import type { Issuer } from '../emulators/issuer.ts';
import type { Runtime } from '../functions/runtime.ts';
import { account } from './identifiers.ts';
import type { Stack } from './stack.ts';

const outputsFolder = '.local';
const defaultFile = 'outputs.json';

// The output files that this process deletes when it exits. A changed stack overwrites its output file.
const written = new Set<string>();

function read(file: string): LocalOutputs | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalOutputs;
  } catch {
    return undefined;
  }
}

async function isListening({ hostname: host, port }: URL): Promise<boolean> {
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Checks both the process id and the port, because another process may get the same id after a crash. */
async function isRunning({ processId, baseUrl }: LocalOutputs): Promise<boolean> {
  return Number.isInteger(processId) && !hasExited(processId) && isListening(new URL(baseUrl));
}

/**
 * Writes the outputs of a stack to a file, which is deleted when this process exits. The first stack in a folder uses
 * `outputs.json`. Other stacks use `outputs-PORT.json`.
 * @returns the path of the file
 */
export async function writeOutputs(outputs: LocalOutputs, folder = outputsFolder): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const defaultPath = join(folder, defaultFile);
  const existing = read(defaultPath);
  const isTaken = existing !== undefined && existing.baseUrl !== outputs.baseUrl && (await isRunning(existing));
  const file = isTaken ? join(folder, `outputs-${new URL(outputs.baseUrl).port}.json`) : defaultPath;
  writeFileSync(file, `${JSON.stringify(outputs, null, 2)}\n`);
  if (written.has(file)) return file;
  written.add(file);
  process.once('exit', () => {
    if (read(file)?.processId === outputs.processId) rmSync(file, { force: true });
  });
  return file;
}

/** Reads the outputs of all running stacks in a folder. The outputs in `outputs.json` come first. */
export async function readOutputs(folder = outputsFolder): Promise<LocalOutputs[]> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^outputs(?:-\d+)?\.json$/.test(name));
  // Sorts in reverse order, so that `outputs.json` comes before `outputs-PORT.json`.
  const found = names
    .toSorted()
    .reverse()
    .flatMap((name) => read(join(folder, name)) ?? []);
  const running = await Promise.all(found.map(isRunning));
  return found.filter((_, index) => running[index]);
}

/**
 * Reads the outputs of the stack on a port, or of the first stack if no port is given.
 * @throws Error if no stack is running
 */
export async function outputsOf(port: string | undefined): Promise<LocalOutputs> {
  const running = await readOutputs();
  const outputs = running.find(({ baseUrl }) => port === undefined || new URL(baseUrl).port === port);
  if (outputs) return outputs;
  const where = port === undefined ? 'here' : `at port ${port}`;
  throw new Error(`no stack is running ${where}. Start one with npm start, or use --stack NAME for a stack on AWS.`);
}

type ByConstructId = Record<string, string>;

export interface LocalOutputs {
  processId: number;
  baseUrl: string;
  issuer: string;
  tokenUrl: string;
  inboxUrl: string;
  dynamodbEndpoint: string;
  sqsEndpoint: string;
  s3Endpoint: string;
  sesEndpoint: string;
  sesv2Endpoint: string;
  secretsManagerEndpoint: string;
  lambdaEndpoint: string;
  resources: {
    tables: ByConstructId;
    queues: ByConstructId;
    buckets: ByConstructId;
    secrets: ByConstructId;
    functions: ByConstructId;
  };
}

interface Addresses {
  baseUrl: string;
  issuer: Issuer;
  endpoints: Record<Service, string>;
  lambdaEndpoint: string;
}

export function describeOutputs(
  stack: Stack,
  runtime: Runtime,
  { baseUrl, issuer, endpoints, lambdaEndpoint }: Addresses,
): LocalOutputs {
  const byConstructId = (types: string[], describe = stack.nameOf): ByConstructId =>
    Object.fromEntries(stack.ofType(...types).map((resource) => [resource.constructId, describe(resource)]));
  return {
    processId: process.pid,
    baseUrl,
    issuer: issuer.url,
    tokenUrl: issuer.tokenUrl,
    inboxUrl: `${endpoints.ses}/`,
    dynamodbEndpoint: endpoints.dynamodb,
    sqsEndpoint: endpoints.sqs,
    s3Endpoint: endpoints.s3,
    sesEndpoint: endpoints.ses,
    sesv2Endpoint: endpoints.sesv2,
    secretsManagerEndpoint: endpoints.secretsmanager,
    lambdaEndpoint,
    resources: {
      // Also reads names from the template's outputs, because only the outputs contain the tables that the stack
      // imports by name.
      tables: {
        ...stack.outputsEnding('Table'),
        ...byConstructId(['AWS::DynamoDB::GlobalTable']),
      },
      queues: byConstructId(['AWS::SQS::Queue'], (queue) => `${endpoints.sqs}/${account}/${stack.nameOf(queue)}`),
      buckets: { ...stack.outputsEnding('Bucket'), ...byConstructId(['AWS::S3::Bucket']) },
      secrets: { ...stack.outputsEnding('Secret'), ...byConstructId(['AWS::SecretsManager::Secret'], stack.arnOf) },
      functions: Object.fromEntries(runtime.functions.map(({ constructId, name }) => [constructId, name])),
    },
  };
}
