import { bundleVariable } from '../../../../shared/contract/log-lines.ts';
import { sourcePlaces } from '../../../build/source-maps.ts';
import { isMetricsLine } from '../../console/events.ts';
import { StartError } from '../../start-error.ts';
import { functionNameOf } from '../template/identifiers.ts';
import type { Stack } from '../template/stack.ts';
import type { TemplateResource } from '../template/template.ts';
import { shareConcurrency } from './account.ts';
import { createFunctionPool, type FunctionPool, type OpenSandbox } from './function-pool.ts';
import { type FunctionProperties, functionSpec, type RuntimeOptions } from './function-spec.ts';
import { startInspectedSandbox } from './inspected-sandbox.ts';
import type { Failure } from './sandbox-protocol.ts';

export interface LocalFunction extends Omit<FunctionPool, 'replaceCode'> {
  constructId: string;
  bundle: string;
  isInspected: boolean;
  /** Runs all later calls with the code in another folder. */
  reload(codeDirectory: string): Promise<void>;
  name: string;
  arn: string;
}

export interface Runtime {
  functions: LocalFunction[];
  find(nameOrArn: string): LocalFunction | undefined;
  byConstructId(constructId: string): LocalFunction;
  /** Reloads the code of bundles, and returns the construct ids of the affected functions. */
  reload(bundles: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

const defaultConcurrency = 10;

// The maximum number of sandboxes per function. This number is lower than in Lambda, because each sandbox is a thread.
const maxSandboxes = 20;

const reservationOf = (resource: TemplateResource, stack: Stack): number | undefined =>
  stack.properties<FunctionProperties>(resource).ReservedConcurrentExecutions;

function concurrencyOf(resource: TemplateResource, stack: Stack): number {
  const arn = stack.arnOf(resource);
  const sources = stack
    .ofType('AWS::Lambda::EventSourceMapping')
    .map((source) =>
      stack.properties<{ FunctionName?: string; ScalingConfig?: { MaximumConcurrency?: number } }>(source),
    )
    .filter(({ FunctionName }) => FunctionName === arn || FunctionName === stack.nameOf(resource));
  const reserved = reservationOf(resource, stack);
  if (reserved !== undefined) return Math.min(reserved, maxSandboxes);
  const wanted = Math.max(
    defaultConcurrency,
    ...sources.map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? 0),
  );
  return Math.min(wanted, maxSandboxes);
}

/** Returns true for CDK's custom-resource functions, which run only during deployments. */
const isHousekeeping = ({ constructPath }: TemplateResource) =>
  constructPath.split('/').some((segment) => /^(Custom::|LogRetention|AWS[0-9a-f]{32}$|AWSCDK)/.test(segment));

interface Mounted {
  resource: TemplateResource;
  bundle: string;
  codeDirectory: string;
}

function startFunction({ resource, bundle, codeDirectory }: Mounted, stack: Stack, options: RuntimeOptions) {
  const { constructId } = resource;
  const specIn = (folder: string) => functionSpec(resource, folder, stack, options);
  const log = (line: string) =>
    isMetricsLine(line)
      ? options.onEvent({ kind: 'metrics', functionName: constructId, line })
      : options.onEvent({ kind: 'log', functionName: constructId, line: sourcePlaces(line) });
  const reportFailure = ({ trace = [], ...failure }: Failure) => {
    const traced = { ...failure, trace: trace.map((place) => sourcePlaces(place)) };
    options.onEvent({ kind: 'failure', functionName: constructId, failure: traced });
  };
  const isInspected = options.inspected === constructId;
  const openInspected: OpenSandbox = (spec, onLine) =>
    startInspectedSandbox(spec, onLine, {
      source: `functions/${bundle}.ts`,
      onListening: (address) => log(`waiting for a debugger at ${address}`),
    });
  const spec = specIn(codeDirectory);
  const pool = isInspected
    ? createFunctionPool(spec, 1, log, reportFailure, openInspected)
    : createFunctionPool(spec, concurrencyOf(resource, stack), log, reportFailure);
  if (isInspected) pool.warmUp();
  const reload = async (folder: string) => {
    await pool.replaceCode(specIn(folder));
    if (isInspected) pool.warmUp();
  };
  return { ...pool, reload, constructId, bundle, isInspected, name: spec.functionName, arn: spec.functionArn };
}

/** Makes available all functions in the template that have bundled code. */
export function startRuntime(stack: Stack, options: RuntimeOptions): Runtime {
  const functions: LocalFunction[] = [];
  const all = stack.ofType('AWS::Lambda::Function');
  const reservations = all.flatMap((resource) => reservationOf(resource, stack) ?? []);
  const limitOf = options.concurrency === undefined ? undefined : shareConcurrency(options.concurrency, reservations);
  for (const resource of all) {
    const code = resource.properties.Code as { S3Key?: unknown } | undefined;
    const asset = stack.template.assets.get(String(code?.S3Key));
    if (!asset || isHousekeeping(resource)) continue;
    const { Environment } = stack.properties<FunctionProperties>(resource);
    const bundle = String(Environment?.Variables?.[bundleVariable] ?? '');
    const codeDirectory = options.folderOf?.(bundle) ?? asset;
    const started = startFunction({ resource, bundle, codeDirectory }, stack, options);
    const limit = limitOf?.(reservationOf(resource, stack));
    functions.push(limit === undefined ? started : { ...started, invoke: limit(started.invoke) });
  }
  const byName = new Map(functions.map((entry) => [entry.name, entry]));
  const byConstructId = (constructId: string): LocalFunction => {
    const found = functions.find((entry) => entry.constructId === constructId);
    if (found) return found;
    const names = functions.map((entry) => entry.constructId).join(', ');
    throw new StartError(`the stack has no function ${constructId}. Functions: ${names}`);
  };
  if (options.inspected !== undefined) byConstructId(options.inspected);
  return {
    functions,
    find: (nameOrArn) => byName.get(functionNameOf(nameOrArn)),
    byConstructId,
    async reload(bundles) {
      const reloaded = functions.filter(({ bundle }) => bundles.includes(bundle));
      await Promise.all(reloaded.map((entry) => entry.reload(options.folderOf?.(entry.bundle) ?? '')));
      return reloaded.map(({ constructId }) => constructId);
    },
    stop: async () => {
      await Promise.all(functions.map((entry) => entry.stop()));
    },
  };
}
