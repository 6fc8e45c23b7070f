import { existsSync, globSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourcePlaces } from '../source-maps.ts';
import type { Service } from './aws-call.ts';
import type { StackListener } from './events.ts';
import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import { functionNameOf, region } from './identifiers.ts';
import type { Stack } from './stack.ts';
import type { TemplateResource } from './template.ts';

interface FunctionProperties {
  Handler?: string;
  MemorySize?: number;
  Timeout?: number;
  ReservedConcurrentExecutions?: number;
  LoggingConfig?: { LogFormat?: string };
  Environment?: { Variables?: Record<string, unknown> };
}

export interface LocalFunction extends FunctionPool {
  constructId: string;
  name: string;
  arn: string;
}

export interface Runtime {
  functions: LocalFunction[];
  /** By physical name or any ARN of the function; undefined where the template has no such function. */
  find(nameOrArn: string): LocalFunction | undefined;
  byConstructId(constructId: string): LocalFunction;
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  endpoints: Record<Service, string>;
  /** Replaces the value of a variable that the template sets: the issuer's address, for instance. */
  overrides: Record<string, string>;
  /** Given to every function on top of what the template sets. */
  environment: Record<string, string>;
  onEvent: StackListener;
}

const defaultConcurrency = 10;

// A sandbox is a thread of its own: a laptop does not hold as many as the cloud.
const mostSandboxes = 20;

/** As many copies as the function's event source lets run at once, within reason. */
function concurrencyOf(resource: TemplateResource, stack: Stack): number {
  const arn = stack.arnOf(resource);
  const sources = stack
    .ofType('AWS::Lambda::EventSourceMapping')
    .map((source) =>
      stack.properties<{ FunctionName?: string; ScalingConfig?: { MaximumConcurrency?: number } }>(source),
    )
    .filter(({ FunctionName }) => FunctionName === arn || FunctionName === stack.nameOf(resource));
  const wanted = Math.max(
    defaultConcurrency,
    ...sources.map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? 0),
  );
  return Math.min(wanted, mostSandboxes);
}

/** CDK's own custom-resource functions run at deployment only. */
const isHousekeeping = ({ constructPath }: TemplateResource) =>
  constructPath.split('/').some((segment) => /^(Custom::|LogRetention|AWS[0-9a-f]{32}$|AWSCDK)/.test(segment));

function environmentOf(
  resource: TemplateResource,
  stack: Stack,
  codeDirectory: string,
  options: RuntimeOptions,
): Record<string, string> {
  const properties = stack.properties<FunctionProperties>(resource);
  const own = Object.entries(properties.Environment?.Variables ?? {}).map(([name, value]) => [name, String(value)]);
  const overridden = own.map(([name = '', value]) => [name, options.overrides[name] ?? value]);
  const { endpoints } = options;
  return {
    ...(Object.fromEntries(overridden) as Record<string, string>),
    ...options.environment,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // The access key is the function's name badge: the doors to the services read it and look up the role's grants.
    AWS_ACCESS_KEY_ID: resource.logicalId,
    AWS_SECRET_ACCESS_KEY: 'local',
    // A developer's own ~/.aws settings must not reach the function.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SES: endpoints.ses,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsmanager,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: stack.nameOf(resource),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize ?? 128),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${stack.nameOf(resource)}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: codeDirectory,
    _HANDLER: properties.Handler ?? 'index.handler',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: 'UTC',
  };
}

function entryOf(codeDirectory: string, file: string, place: string): string {
  const found = ['.mjs', '.js', '.cjs'].map((extension) => join(codeDirectory, file + extension)).find(existsSync);
  if (!found) throw new Error(`${place}: its asset ${codeDirectory} has no ${file}.mjs, .js or .cjs`);
  return pathToFileURL(found).href;
}

/**
 * A native library is unloaded with the last thread that loaded it, under the feet of threads of its own that still run.
 * So this thread, which outlives all sandboxes, loads it too.
 */
function holdNativeCode(codeDirectory: string): void {
  for (const file of globSync('node_modules/**/*.node', { cwd: codeDirectory })) {
    process.dlopen({ exports: {} }, join(codeDirectory, file));
  }
}

function startFunction(resource: TemplateResource, codeDirectory: string, stack: Stack, options: RuntimeOptions) {
  const properties = stack.properties<FunctionProperties>(resource);
  const [file = 'index', handlerName = 'handler'] = (properties.Handler ?? 'index.handler').split(/\.(?=[^.]+$)/);
  const { constructId, logicalId } = resource;
  const spec = {
    entry: entryOf(codeDirectory, file, logicalId),
    handlerName,
    functionName: stack.nameOf(resource),
    functionArn: stack.arnOf(resource),
    memorySize: properties.MemorySize ?? 128,
    hasJsonLogs: properties.LoggingConfig?.LogFormat === 'JSON',
    timeoutSeconds: properties.Timeout ?? 3,
    environment: environmentOf(resource, stack, codeDirectory, options),
  };
  const pool = createFunctionPool(
    spec,
    properties.ReservedConcurrentExecutions ?? concurrencyOf(resource, stack),
    (line) => options.onEvent({ kind: 'log', functionName: constructId, line: sourcePlaces(line) }),
    ({ trace = [], ...failure }) => {
      const traced = { ...failure, trace: trace.map((place) => sourcePlaces(place)) };
      options.onEvent({ kind: 'failure', functionName: constructId, failure: traced });
    },
  );
  return { ...pool, constructId, name: spec.functionName, arn: spec.functionArn };
}

/** Every function of the template whose code is a bundled asset, ready to be invoked. */
export function startRuntime(stack: Stack, options: RuntimeOptions): Runtime {
  const functions: LocalFunction[] = [];
  for (const resource of stack.ofType('AWS::Lambda::Function')) {
    const code = resource.properties.Code as { S3Key?: unknown } | undefined;
    const codeDirectory = stack.template.assets.get(String(code?.S3Key));
    if (!codeDirectory || isHousekeeping(resource)) continue;
    holdNativeCode(codeDirectory);
    functions.push(startFunction(resource, codeDirectory, stack, options));
  }
  const byName = new Map(functions.map((entry) => [entry.name, entry]));
  return {
    functions,
    find: (nameOrArn) => byName.get(functionNameOf(nameOrArn)),
    byConstructId(constructId) {
      const found = functions.find((entry) => entry.constructId === constructId);
      if (found) return found;
      const known = functions.map((entry) => entry.constructId).join(', ');
      throw new Error(`no function ${constructId} in the stack; it has ${known}`);
    },
    stop: async () => {
      await Promise.all(functions.map((entry) => entry.stop()));
    },
  };
}
