import { bucketQueues } from '../../../shared/contract/buckets.ts';
import { actionsOf, type CapabilityName, capabilities } from '../../../shared/contract/capabilities.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { jobs } from '../../../shared/contract/jobs.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { refersTo, resourcesOfType } from '../functions.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

const isSending = (uses: readonly CapabilityName[]): boolean =>
  uses.some((use) => actionsOf(capabilities[use]).includes('sqs:SendMessage'));

/**
 * The functions that send messages to queues. While these functions are stopped, the queues receive no new messages.
 */
export const senders: readonly string[] = [
  ...endpoints.filter(({ uses }) => isSending(uses)).map(({ operation }) => operation),
  ...jobs.filter(({ uses }) => isSending(uses)).map(({ job }) => job),
];

/**
 * The workers that publish events. The queues that these workers read belong to the data stack, which is not deleted,
 * so messages can wait in these queues.
 */
export const heldWorkers: readonly string[] = workerLanes
  .filter(({ queue }) => bucketQueues.includes(queue))
  .map(({ lane }) => lane);

/** Returns the logical ids of the queues that a drain monitors. */
export function drainedQueues(template: RawTemplate) {
  const queues = resourcesOfType(template, 'AWS::SQS::Queue');
  const isDead = (id: string): boolean => queues.some(([, { Properties }]) => refersTo(Properties?.RedrivePolicy, id));
  const ids = queues.map(([id]) => id);
  return { queues: ids.filter((id) => !isDead(id)), deadLetterQueues: ids.filter(isDead) };
}
