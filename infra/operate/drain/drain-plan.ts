import { bucketQueues } from '../../../shared/contract/buckets.ts';
import { type CapabilityName, capabilities } from '../../../shared/contract/capabilities.ts';
import { actionsOf } from '../../../shared/contract/capability.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { jobs } from '../../../shared/contract/jobs.ts';
import { metricVariables } from '../../../shared/contract/metrics.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import type { RawResource, RawTemplate } from '../release/assembly-stacks.ts';

const isSending = (uses: readonly CapabilityName[]): boolean =>
  uses.some((use) => actionsOf(capabilities[use]).includes('sqs:SendMessage'));

// While these are stopped, no new work begins.
const senders: readonly string[] = [
  ...endpoints.filter(({ uses }) => isSending(uses)).map(({ operation }) => operation),
  ...jobs.filter(({ uses }) => isSending(uses)).map(({ job }) => job),
];

// Imports publish events, but their messages wait in the data stack, which stays.
const heldWorkers: readonly string[] = workerLanes
  .filter(({ queue }) => bucketQueues.includes(queue))
  .map(({ lane }) => lane);

interface FunctionProperties {
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  readonly ReservedConcurrentExecutions?: number;
}

/** The logical ids of the resources that a drain stops or watches. */
export interface DrainPlan {
  /** The functions to stop, each with the concurrency that the template reserves for it. */
  readonly functions: ReadonlyMap<string, number | undefined>;
  readonly eventSources: readonly string[];
  readonly queues: readonly string[];
  readonly deadLetterQueues: readonly string[];
}

export function drainPlan({ Resources }: RawTemplate): DrainPlan {
  const ofType = (type: string): [string, RawResource][] =>
    Object.entries(Resources).filter(([, { Type }]) => Type === type);
  const functionsNamed = (names: readonly string[]) =>
    ofType('AWS::Lambda::Function')
      .map(([id, { Properties }]) => [id, Properties as FunctionProperties] as const)
      .filter(([, { Environment }]) => names.includes(String(Environment?.Variables?.[metricVariables.function])));
  const refersTo = (value: unknown, id: string): boolean => JSON.stringify(value ?? '').includes(`"${id}"`);

  const held = functionsNamed(heldWorkers).map(([id]) => id);
  const queues = ofType('AWS::SQS::Queue');
  const isDead = (id: string): boolean => queues.some(([, { Properties }]) => refersTo(Properties?.RedrivePolicy, id));
  const ids = queues.map(([id]) => id);
  return {
    functions: new Map(functionsNamed(senders).map(([id, one]) => [id, one.ReservedConcurrentExecutions])),
    eventSources: ofType('AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => held.some((id) => refersTo(Properties?.FunctionName, id)))
      .map(([id]) => id),
    queues: ids.filter((id) => !isDead(id)),
    deadLetterQueues: ids.filter(isDead),
  };
}
