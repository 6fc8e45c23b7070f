import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StackListener } from '../../console/events.ts';
import type { Service } from '../emulators/aws-call.ts';
import { region } from '../template/identifiers.ts';
import type { Stack } from '../template/stack.ts';
import type { TemplateResource } from '../template/template.ts';
import type { SandboxSpec } from './sandbox-protocol.ts';

export interface FunctionProperties {
  Handler?: string;
  MemorySize?: number;
  Timeout?: number;
  ReservedConcurrentExecutions?: number;
  LoggingConfig?: { LogFormat?: string };
  Environment?: { Variables?: Record<string, unknown> };
}

export interface RuntimeOptions {
  endpoints: Record<Service, string>;
  /** New values for environment variables that the template sets, such as the issuer's URL. */
  overrides: Record<string, string>;
  environment: Record<string, string>;
  /** Returns the folder that contains the code of a bundle. The default is the bundle's asset in the assembly. */
  folderOf?: (bundle: string) => string;
  inspected?: string;
  /**
   * The account's concurrency limit. If the limit is undefined, calls wait for a free sandbox and are never throttled.
   */
  concurrency?: number;
  onEvent: StackListener;
}

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
    // Code reloads are faster without warm-up calls.
    WARM_UP: 'off',
    ...options.environment,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // The access key id identifies the function, so that the proxies can find the grants of the function's role.
    AWS_ACCESS_KEY_ID: resource.logicalId,
    AWS_SECRET_ACCESS_KEY: 'local',
    // Functions must not read the developer's settings in ~/.aws.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SES: endpoints.ses,
    AWS_ENDPOINT_URL_SESV2: endpoints.sesv2,
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

/** Returns everything that a sandbox needs to run one of the template's functions with the code in a folder. */
export function functionSpec(
  resource: TemplateResource,
  codeDirectory: string,
  stack: Stack,
  options: RuntimeOptions,
): SandboxSpec {
  const properties = stack.properties<FunctionProperties>(resource);
  const [file = 'index', handlerName = 'handler'] = (properties.Handler ?? 'index.handler').split(/\.(?=[^.]+$)/);
  return {
    entry: entryOf(codeDirectory, file, resource.logicalId),
    handlerName,
    functionName: stack.nameOf(resource),
    functionArn: stack.arnOf(resource),
    memorySize: properties.MemorySize ?? 128,
    hasJsonLogs: properties.LoggingConfig?.LogFormat === 'JSON',
    timeoutSeconds: properties.Timeout ?? 3,
    environment: environmentOf(resource, stack, codeDirectory, options),
  };
}
