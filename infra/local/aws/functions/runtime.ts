import { bundleVariable } from '../../../../shared/contract/log-lines.ts';
import { sourcePlaces } from '../../../build/source-maps.ts';
import { tellsMetrics } from '../../console/parse-line.ts';
import { StartError } from '../../start-error.ts';
import { functionNameOf } from '../template/identifiers.ts';
import type { Stack } from '../template/stack.ts';
import type { TemplateResource } from '../template/template.ts';
import { createFunctionPool, type FunctionPool, type OpenSandbox } from './function-pool.ts';
import { type FunctionProperties, functionSpec, type RuntimeOptions } from './function-spec.ts';
import { startInspectedSandbox } from './inspected-sandbox.ts';
import type { Failure } from './sandbox-protocol.ts';

export interface LocalFunction extends Omit<FunctionPool, 'renew'> {
  constructId: string;
  /** What its bundle is known by. */
  bundle: string;
  /** It runs in a debugger, without time limits. */
  isInspected: boolean;
  /** Gives the code in another folder to every call that has not begun. */
  renew(codeDirectory: string): Promise<void>;
  name: string;
  arn: string;
}

export interface Runtime {
  functions: LocalFunction[];
  /** By physical name or any ARN of the function; undefined where the template has no such function. */
  find(nameOrArn: string): LocalFunction | undefined;
  byConstructId(constructId: string): LocalFunction;
  /** Takes the code of these bundles from where it is now. Answers whose code that is, by construct id. */
  renew(bundles: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
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
  const { ReservedConcurrentExecutions } = stack.properties<FunctionProperties>(resource);
  if (ReservedConcurrentExecutions !== undefined) return Math.min(ReservedConcurrentExecutions, mostSandboxes);
  const wanted = Math.max(
    defaultConcurrency,
    ...sources.map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? 0),
  );
  return Math.min(wanted, mostSandboxes);
}

/** CDK's own custom-resource functions run at deployment only. */
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
    tellsMetrics(line)
      ? options.onEvent({ kind: 'metrics', functionName: constructId, line })
      : options.onEvent({ kind: 'log', functionName: constructId, line: sourcePlaces(line) });
  const fail = ({ trace = [], ...failure }: Failure) => {
    const traced = { ...failure, trace: trace.map((place) => sourcePlaces(place)) };
    options.onEvent({ kind: 'failure', functionName: constructId, failure: traced });
  };
  const isInspected = options.inspected === constructId;
  const openInspected: OpenSandbox = (spec, onLine) =>
    startInspectedSandbox(spec, onLine, {
      source: `functions/${bundle}.ts`,
      onListening: (address) => log(`waits for a debugger at ${address}`),
    });
  const spec = specIn(codeDirectory);
  const pool = isInspected
    ? createFunctionPool(spec, 1, log, fail, openInspected)
    : createFunctionPool(spec, concurrencyOf(resource, stack), log, fail);
  if (isInspected) pool.warm();
  const renew = async (folder: string) => {
    await pool.renew(specIn(folder));
    if (isInspected) pool.warm();
  };
  return { ...pool, renew, constructId, bundle, isInspected, name: spec.functionName, arn: spec.functionArn };
}

/** Every function of the template whose code is a bundled asset, ready to be invoked. */
export function startRuntime(stack: Stack, options: RuntimeOptions): Runtime {
  const functions: LocalFunction[] = [];
  for (const resource of stack.ofType('AWS::Lambda::Function')) {
    const code = resource.properties.Code as { S3Key?: unknown } | undefined;
    const asset = stack.template.assets.get(String(code?.S3Key));
    if (!asset || isHousekeeping(resource)) continue;
    const { Environment } = stack.properties<FunctionProperties>(resource);
    const bundle = String(Environment?.Variables?.[bundleVariable] ?? '');
    const codeDirectory = options.folderOf?.(bundle) ?? asset;
    functions.push(startFunction({ resource, bundle, codeDirectory }, stack, options));
  }
  const byName = new Map(functions.map((entry) => [entry.name, entry]));
  const byConstructId = (constructId: string): LocalFunction => {
    const found = functions.find((entry) => entry.constructId === constructId);
    if (found) return found;
    const known = functions.map((entry) => entry.constructId).join(', ');
    throw new StartError(`no function ${constructId} in the stack; it has ${known}`);
  };
  if (options.inspected !== undefined) byConstructId(options.inspected);
  return {
    functions,
    find: (nameOrArn) => byName.get(functionNameOf(nameOrArn)),
    byConstructId,
    async renew(bundles) {
      const renewed = functions.filter(({ bundle }) => bundles.includes(bundle));
      await Promise.all(renewed.map((entry) => entry.renew(options.folderOf?.(entry.bundle) ?? '')));
      return renewed.map(({ constructId }) => constructId);
    },
    stop: async () => {
      await Promise.all(functions.map((entry) => entry.stop()));
    },
  };
}
