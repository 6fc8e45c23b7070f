import { laneOf } from '../../domain/deliveries/channels.ts';
import {
  decideReconciliation,
  decideSweep,
  type LaneLoad,
  type SweepDecision,
} from '../../domain/deliveries/sweep-decision.ts';
import { recoveryKey, subscriptionOf } from '../../domain/deliveries/task.ts';
import { graceMs, reconcileAfterMs } from '../../domain/deliveries/times.ts';
import { memoized } from '../../domain/memoized.ts';
import { type Protocol, protocols } from '../../domain/subscriptions/subscription.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import type { LookedQueue, SweepTools } from './sweep-tools.ts';

type ReadLoad = (queue: LookedQueue) => Promise<LaneLoad>;

// Queues that always contain delayed messages, such as retries and the next steps of recoveries.
const delaying: ReadonlySet<LookedQueue> = new Set(['retry', 'fanOut']);

/** Returns a function that reads each queue's message counts at most once per run. */
export const cachedLaneLoads = ({ backlog, leastPerSecond }: SweepTools): ReadLoad =>
  memoized(async (queue) => {
    const { waiting, delayed } = await backlog[queue]();
    return { waiting, delayed: delaying.has(queue) ? 0 : delayed, perSecond: leastPerSecond(queue) };
  });

const usualTimes = { everyMs: graceMs, quickMs: graceMs };

// A reconciliation waits until its lanes are almost empty, because it sends every open task again.
const reconcileSoonMs = 5000;

/** Decides what to do with a due row, based on the number of messages in the queues that may hold its task. */
export async function decideRow(row: DueRow, lane: ReadLoad, tools: SweepTools): Promise<SweepDecision> {
  const { protocol, isConfirmation, taskKey } = row;
  if (protocol === undefined) {
    const lanes = [await lane('fanOut')];
    if (taskKey === recoveryKey) return decideSweep({ ...row, ...usualTimes, lanes });
    const times = { everyMs: reconcileAfterMs, quickMs: reconcileSoonMs };
    return decideReconciliation({ ...row, ...times, lanes, lanesOf: await firstLanes(lane) });
  }
  const unsent = isConfirmation ? await decideUnsent(row, tools) : undefined;
  if (unsent !== undefined) return unsent;
  const own = laneOf(protocol, isConfirmation ? 'confirmations' : 'later');
  const lanes = await Promise.all([lane('retry'), lane(own)]);
  return decideSweep({ ...row, ...usualTimes, lanes });
}

/**
 * Decides what to do with a new confirmation request. If the subscribe request stopped before the message was queued,
 * the message is sent regardless of the load of the queues. A queued confirmation gets the usual grace period. Returns
 * undefined for all other confirmation requests.
 */
async function decideUnsent(row: DueRow, { subscriptions, now }: SweepTools): Promise<SweepDecision | undefined> {
  const stored = await subscriptions.get(subscriptionOf(row.taskKey), now());
  const request = Object.values(stored?.requests ?? {}).find(({ messageId }) => messageId === row.messageId);
  if (request === undefined) return undefined;
  if (request.isUnsent) return decideSweep({ ...row, ...usualTimes, lanes: [] });
  const forMs = request.requestedAt + graceMs - now();
  return forMs > 0 ? { is: 'postponed', forMs, wasPostponed: false } : undefined;
}

async function firstLanes(lane: ReadLoad): Promise<Record<Protocol, LaneLoad[]>> {
  const reading = protocols.map(async (protocol) => {
    const queues = new Set([laneOf(protocol, 'first'), laneOf(protocol, 'mass')]);
    return [protocol, await Promise.all([...queues].map(lane))] as const;
  });
  return Object.fromEntries(await Promise.all(reading)) as Record<Protocol, LaneLoad[]>;
}
