import {
  type CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteFunctionConcurrencyCommand,
  GetEventSourceMappingCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { metricVariables } from '../../shared/contract/metrics.ts';
import { filterAsync } from './filter-async.ts';
import type { RawResource, RawTemplate } from './release/assembly-stacks.ts';

interface FunctionProperties {
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  readonly ReservedConcurrentExecutions?: number;
}

export const resourcesOfType = ({ Resources }: RawTemplate, type: string): [id: string, resource: RawResource][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);

export const refersTo = (value: unknown, id: string): boolean => JSON.stringify(value ?? '').includes(`"${id}"`);

/** Returns the logical ids of the named functions, each with its reserved concurrency in the template. */
export const functionsNamed = (template: RawTemplate, names: readonly string[]): Map<string, number | undefined> =>
  new Map(
    resourcesOfType(template, 'AWS::Lambda::Function')
      .map(([id, { Properties }]) => [id, Properties as FunctionProperties] as const)
      .filter(([, { Environment }]) => names.includes(String(Environment?.Variables?.[metricVariables.function])))
      .map(([id, { ReservedConcurrentExecutions }]) => [id, ReservedConcurrentExecutions]),
  );

/** Returns the logical ids of the event source mappings of functions. */
export function eventSourcesOf(template: RawTemplate, names: readonly string[]): string[] {
  const functions = [...functionsNamed(template, names).keys()];
  return resourcesOfType(template, 'AWS::Lambda::EventSourceMapping')
    .filter(([, { Properties }]) => functions.some((id) => refersTo(Properties?.FunctionName, id)))
    .map(([id]) => id);
}

/** Returns the physical ids of a stack's resources, by their logical ids. */
export async function physicalIdsOf(client: CloudFormationClient, StackName: string): Promise<Map<string, string>> {
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  return new Map(
    pages
      .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
      .map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [LogicalResourceId, PhysicalResourceId]),
  );
}

async function templateOf(client: CloudFormationClient, StackName: string): Promise<RawTemplate> {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  return JSON.parse(TemplateBody) as RawTemplate;
}

/**
 * Lets an operator stop and start the functions of a deployed service. A stopped API function returns 5xx responses.
 * The messages of a held worker wait in the worker's queue. CloudFormation does not record that functions are stopped
 * or held.
 * @throws Error if the stack is not deployed
 */
export async function openFunctions(cloudFormation: CloudFormationClient, lambda: LambdaClient, stack: string) {
  const template = await templateOf(cloudFormation, stack);
  const physicalIds = await physicalIdsOf(cloudFormation, stack);
  const physicalId = (id: string): string => physicalIds.get(id) ?? '';

  const reserve = (id: string, ReservedConcurrentExecutions: number | undefined) => {
    const FunctionName = physicalId(id);
    return ReservedConcurrentExecutions === undefined
      ? lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }))
      : lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  };
  const enable = async (names: readonly string[], Enabled: boolean): Promise<void> => {
    for (const id of eventSourcesOf(template, names))
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID: physicalId(id), Enabled }));
  };

  return {
    template,
    physicalIds,
    /** Stops functions by setting their reserved concurrency to 0. */
    async stop(names: readonly string[]): Promise<void> {
      for (const id of functionsNamed(template, names).keys()) await reserve(id, 0);
    },
    /** Starts stopped functions by restoring the reserved concurrency in the template. */
    async start(names: readonly string[]): Promise<void> {
      for (const [id, reserved] of functionsNamed(template, names)) await reserve(id, reserved);
    },
    /** Returns the names of the stopped functions. */
    stopped: (names: readonly string[]): Promise<string[]> =>
      filterAsync(names, async (name) => {
        const [id = ''] = functionsNamed(template, [name]).keys();
        const given = { FunctionName: physicalId(id) };
        return (await lambda.send(new GetFunctionConcurrencyCommand(given))).ReservedConcurrentExecutions === 0;
      }),
    hold: (workers: readonly string[]): Promise<void> => enable(workers, false),
    release: (workers: readonly string[]): Promise<void> => enable(workers, true),
    /** Returns the names of the held workers. */
    held: (workers: readonly string[]): Promise<string[]> =>
      filterAsync(workers, async (worker) => {
        const [id = ''] = eventSourcesOf(template, [worker]);
        const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID: physicalId(id) }));
        return State === 'Disabled' || State === 'Disabling';
      }),
  };
}

export type Functions = Awaited<ReturnType<typeof openFunctions>>;
