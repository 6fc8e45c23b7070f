import { laneOf } from '../../domain/deliveries/channels.ts';
import {
  decideReconciliation,
  decideSweep,
  type LaneLoad,
  type SweepDecision,
} from '../../domain/deliveries/sweep-decision.ts';
import {
  parkingKey,
  publicationKey,
  recoveryKey,
  statusCheckKey,
  subscriptionOf,
} from '../../domain/deliveries/task.ts';
import { graceMs, reconcileAfterMs } from '../../domain/deliveries/times.ts';
import { inParts } from '../../domain/in-parts.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { memoized } from '../../domain/memoized.ts';
import { type Protocol, protocols } from '../../domain/subscriptions/subscription.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import { notifyStatus } from './notify-status.ts';
import { type LookedQueue, reconcileSmall, resumeRow, type SweepTools, startVisit } from './resume-row.ts';

type ReadLoad = (queue: LookedQueue) => Promise<LaneLoad>;

type SweepingTools = SweepTools & { readonly lane: ReadLoad };

// Queues that always contain delayed messages, such as retries and the next steps of recoveries.
const delaying: ReadonlySet<LookedQueue> = new Set(['retry', 'fanOut']);

/** Returns a function that reads each queue's message counts at most once per run. */
const cachedLaneLoads = ({ backlog, leastPerSecond }: SweepTools): ReadLoad =>
  memoized(async (queue) => {
    const { waiting, delayed } = await backlog[queue]();
    return { waiting, delayed: delaying.has(queue) ? 0 : delayed, perSecond: leastPerSecond(queue) };
  });

const usualTimes = { everyMs: graceMs, quickMs: graceMs };

// A reconciliation waits until its lanes are almost empty, because it sends every open task again.
const reconcileSoonMs = 5000;

/** Decides what to do with a due row, based on the number of messages in the queues that may hold its task. */
async function decideRow(row: DueRow, tools: SweepingTools): Promise<SweepDecision> {
  const { protocol, isConfirmation, taskKey } = row;
  const { lane } = tools;
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

const noRows = { reconciled: 0, resumed: 0, visited: 0, notified: 0, asked: 0, ended: 0, postponed: 0, stuck: 0 };

type RowResult = keyof typeof noRows;

/** Handles a due row. `taken`: another run handles it. */
async function sweepRow(row: DueRow, tools: SweepingTools): Promise<RowResult | 'taken' | 'failed'> {
  const { messageId, taskKey } = row;
  try {
    if (taskKey === parkingKey) return await startVisit(row, tools);
    if (taskKey === statusCheckKey) return await notifyStatus(row, tools);
    if (taskKey === publicationKey && (await reconcileSmall(row, tools))) return 'reconciled';
    const look = await decideRow(row, tools);
    const isTaken = await tools.deliveries.takeDue(row, tools.now(), look);
    if (!isTaken) return 'taken';
    if (look.is === 'stuck') tools.onError(new InternalError('stuckTask', { messageId, taskKey }), row);
    if (look.is === 'inPart') return await resumeRow(row, tools, look.skippedProtocols);
    return look.is === 'sent' ? await resumeRow(row, tools) : look.is;
  } catch (error) {
    tools.onError(error, row);
    return 'failed';
  }
}

// The number of rows to handle in parallel.
const width = 25;
// Leave the remaining rows for the next run, so that Lambda does not stop the function halfway.
const mostMs = 45_000;

/** Handles the rows of a page. Returns false if no time is left, or if all rows of a group failed. */
async function sweepPage(page: DueRow[], counts: Record<RowResult, number>, until: number, tools: SweepingTools) {
  // Handle retries and confirmations before reconciliations.
  const rows = page.toSorted((a, b) => Number(a.protocol === undefined) - Number(b.protocol === undefined));
  for (const some of inParts(rows, width)) {
    const done = await Promise.all(some.map((row) => sweepRow(row, tools)));
    for (const one of done) if (one !== 'taken' && one !== 'failed') counts[one] += 1;
    const isBroken = done.length === width && done.every((one) => one === 'failed');
    if (isBroken || tools.now() > until) return false;
  }
  return tools.now() <= until;
}

/**
 * Handles all due rows: resumes lost work, reconciles messages, visits parked messages, and publishes events about the
 * state of subscriptions. Safe to repeat. A failing row does not affect other rows. If all rows of a group fail, the
 * run ends early, and the next run continues. Returns the number of rows for each result.
 */
export async function sweepDueRows(tools: SweepTools): Promise<Record<RowResult, number>> {
  const counts = { ...noRows };
  const now = tools.now();
  let oldest = now;
  const looking = { ...tools, lane: cachedLaneLoads(tools) };
  for await (const page of tools.deliveries.listDue(now, tools.onError)) {
    oldest = Math.min(oldest, ...page.map(({ sweepAt }) => Number(sweepAt)));
    const goesOn = await sweepPage(page, counts, now + mostMs, looking);
    if (!goesOn) break;
  }
  tools.onOldest(now - oldest);
  return counts;
}
