import { spawnSync } from 'node:child_process';
import { cpSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../../infra/build/esbuild-options.ts';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { readTemplate } from '../../infra/local/aws/template/template.ts';
import { usualMegabytes } from '../../shared/contract/background-functions.ts';
import type { Opened } from './cold-aws.ts';
import { firstEvents, readPersonEvent } from './cold-events.ts';
import type { Candidate } from './cold-process.ts';

export interface Measured extends Candidate {
  readonly bytes: number;
}

interface Properties {
  readonly MemorySize: number;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
}

/** Returns the value of an environment variable that names a resource, such as `persons` for `PERSONS_TABLE`. */
function placeOf(variable: string, endpoint: string): string {
  const name = variable.replace(/_(?:TABLE|BUCKET|QUEUE_URL|SECRET_ARN)$/, '').toLowerCase();
  if (variable.endsWith('_QUEUE_URL')) return `${endpoint}/000000000000/${name}`;
  return variable.endsWith('_ARN') ? `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}` : name;
}

/** Returns the environment variables that Lambda sets, and the endpoints of the AWS stub. */
export const lambdaVariables = ({ endpoint, s3 }: Opened, certFile: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_S3: s3,
  // If an endpoint is configured, the SDK reads ~/.aws/config unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is set.
  // Deployed functions have no configured endpoint.
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'false',
  NODE_EXTRA_CA_CERTS: certFile,
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TZ: 'UTC',
});

type Assembly = Parameters<typeof readTemplate>[0];

/**
 * Returns all functions of the stack, with their code from the synthesized assets.
 * @param placeOf returns the value of an environment variable that names a resource
 */
export function deployedBundles(assembly: Assembly, placeOf: (variable: string) => string) {
  const template = readTemplate(assembly);
  const functions = [...template.resources.values()].filter(({ type }) => type === 'AWS::Lambda::Function');
  return functions.flatMap(({ constructId: name, properties }) => {
    const folder = template.assets.get(String((properties.Code as { S3Key?: string }).S3Key));
    if (folder === undefined) return [];
    const { MemorySize, Environment } = properties as unknown as Properties;
    const own = Object.entries(Environment?.Variables ?? {}).map(([variable, value]) => [
      variable,
      typeof value === 'string' ? value : placeOf(variable),
    ]);
    const variables: Record<string, string> = Object.fromEntries(own);
    const file = join(folder, 'index.mjs');
    const entry = pathToFileURL(file).href;
    return [{ name, entry, bytes: statSync(file).size, memoryMegabytes: MemorySize, variables }];
  });
}

/** Returns each measured function with its first event and with environment variables that point to the AWS stub. */
export async function deployedFunctions(
  outdir: string,
  { endpoint, token }: Opened,
  common: Record<string, string>,
): Promise<Measured[]> {
  const bundles = deployedBundles(await synthesizeLocally({ outdir }), (variable) => placeOf(variable, endpoint));
  const made = { BASE_URL: 'https://registry.example', OIDC_JWKS_URI: `${endpoint}/jwks` };
  const events = firstEvents(token);
  return bundles.flatMap(({ variables, ...bundled }) => {
    const event = events[bundled.name];
    return event === undefined ? [] : [{ ...bundled, variables: { ...variables, ...common, ...made }, event }];
  });
}

/** Bundles a file of the benchmark with the usual esbuild settings for a Lambda function. */
export const bundle = (entry: string, outfile: string) =>
  build({
    entryPoints: [resolve(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });

/**
 * Copies the baselines to a folder that git ignores, and installs the packages of the `usual` baseline.
 * @returns the path of the copied source file of the `usual` baseline
 */
function installUsualStack(): string {
  const folder = '.local/bench';
  // The setup script compares the timestamp of the lock file with the time of the last installation.
  cpSync(join(import.meta.dirname, 'baselines'), join(root, folder), { recursive: true, preserveTimestamps: true });
  const { status } = spawnSync(process.execPath, [join(root, 'infra/build/setup.mjs')], {
    cwd: join(root, folder),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the packages of the baseline "usual" could not be installed');
  return join(root, folder, 'usual.mjs');
}

/** Returns a baseline function, bundled with the usual esbuild settings for a Lambda function. */
export async function baselineFunction(
  name: 'bare' | 'usual',
  folder: string,
  common: Record<string, string>,
): Promise<Measured> {
  const file = join(folder, `${name}.mjs`);
  await bundle(name === 'usual' ? installUsualStack() : 'baselines/bare.ts', file);
  const variables = { ...common, PERSONS_TABLE: 'persons' };
  const entry = pathToFileURL(file).href;
  return {
    name,
    entry,
    bytes: statSync(file).size,
    memoryMegabytes: usualMegabytes,
    variables,
    event: readPersonEvent,
  };
}

/** Bundles the runtime that all measured functions use, and returns the path of the bundle. */
export async function bundleRuntime(folder: string): Promise<string> {
  const file = join(folder, 'runtime.mjs');
  await bundle('cold-runtime.ts', file);
  return file;
}
