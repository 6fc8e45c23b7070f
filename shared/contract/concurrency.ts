import { channelOfQueue } from '../domain/deliveries/channels.ts';
import { quickTimes } from '../domain/deliveries/times.ts';
import type { DeliveryQueue } from './queue-names.ts';
import type { SettingValues } from './settings.ts';
import { workerLanes } from './workers.ts';

/** The minimum concurrency that SQS accepts for an event source. */
const minCopies = 2;

/** The percentage of the stage's concurrency that queue workers may use. API calls use the remaining concurrency. */
const queuesPercent = 70;

const minTotal = minCopies * workerLanes.length;
const maxTotal = workerLanes.reduce((sum, { maxConcurrency }) => sum + maxConcurrency, 0);

const forQueues = (concurrency: number): number => Math.floor((concurrency * queuesPercent) / 100);

/** The minimum concurrency of a stage: two instances for each lane, plus the share for API calls. */
export const minConcurrency = Math.ceil((minTotal * 100) / queuesPercent);

/**
 * Returns the maximum concurrency of a lane. If the stage's concurrency is too low for the sum of all maximums, each
 * lane still gets at least two instances. In every lane, the number of instances beyond two is reduced by the same
 * percentage.
 * @param concurrency the stage's concurrency; even below `minConcurrency`, each lane gets two instances
 */
export function copiesOf({ maxConcurrency }: { readonly maxConcurrency: number }, concurrency: number): number {
  const part = Math.min(1, Math.max(0, (forQueues(concurrency) - minTotal) / (maxTotal - minTotal)));
  return minCopies + Math.floor((maxConcurrency - minCopies) * part);
}

/** The settings that determine the throughput of each lane. */
export const paceSettings = ['receiverTimeoutSeconds', 'emailsPerSecond', 'concurrency'] as const;

/**
 * Returns the number of messages per second that workers process from a queue if every batch takes the maximum time.
 */
export function minPerSecond(queue: DeliveryQueue, settings: SettingValues<(typeof paceSettings)[number]>): number {
  const lane = workerLanes.find((one) => one.queue === queue);
  const { functionSeconds } = channelOfQueue(queue)?.times(settings) ?? quickTimes;
  if (lane === undefined) return 1;
  return (copiesOf(lane, settings.concurrency) * lane.batchSize) / functionSeconds;
}

const reservedPercent = 5;

/** The number of functions with reserved concurrency: the authorizer and `generateUin`. */
const reservingFunctions = 2;

/**
 * The concurrency that AWS keeps for functions without reserved concurrency (Lambda Developer Guide, "Configuring
 * reserved concurrency").
 */
export const neverReserved = 100;

/**
 * Returns the concurrency to reserve for the authorizer and for each operation with `hasReserve`. The reserved
 * concurrency of a function is also its maximum concurrency. The authorizer has reserved concurrency, because every
 * call with an access token depends on it.
 * @returns undefined if less than `neverReserved` would remain for functions without reserved concurrency
 */
export function reservedCopies(concurrency: number): number | undefined {
  const copies = Math.ceil((concurrency * reservedPercent) / 100);
  return concurrency - reservingFunctions * copies >= neverReserved ? copies : undefined;
}
