import { workerLanes } from './workers.ts';

type Lane = (typeof workerLanes)[number]['lane'];

/** SQS lets no event source run fewer. */
const fewestCopies = 2;

/** Of 100 functions that the stage may run at once so many may be behind queues: callers and their tokens have the others. */
const queuesPercent = 70;

const fewest = fewestCopies * workerLanes.length;
const most = workerLanes.reduce((sum, { maxConcurrency }) => sum + maxConcurrency, 0);

const forQueues = (concurrency: number): number => Math.floor((concurrency * queuesPercent) / 100);

/** The least that a stage must be able to run at once: two copies of each lane, and callers beside them. */
export const leastConcurrency = Math.ceil((fewest * 100) / queuesPercent);

/**
 * How many copies of a lane run at once at the most, in a stage whose share is `concurrency` functions at once: the lane's own
 * maximum, or where the share cannot hold those of all lanes, a part of it that is the same for each beyond two.
 * @param concurrency `leastConcurrency` or more: below it lanes still have two copies each, SQS has no fewer
 */
export function copiesOf(lane: Lane, concurrency: number): number {
  const { maxConcurrency = fewestCopies } = workerLanes.find((one) => one.lane === lane) ?? {};
  const part = Math.min(1, Math.max(0, (forQueues(concurrency) - fewest) / (most - fewest)));
  return fewestCopies + Math.floor((maxConcurrency - fewestCopies) * part);
}

const reservedPercent = 5;

/** AWS keeps so many for functions without a reservation (Lambda Developer Guide, "Configuring reserved concurrency"). */
const neverReserved = 100;

/**
 * How many copies an operation with a reserve has for itself, and at the most.
 * @returns undefined where the share is too small for any
 */
export function reservedCopies(concurrency: number): number | undefined {
  const copies = Math.floor((concurrency * reservedPercent) / 100);
  return concurrency - copies >= neverReserved ? copies : undefined;
}
