import { visitWaitMs } from '../../domain/deliveries/parking.ts';
import { parkingKey, publicationKey, recoveryKey, statusCheckKey } from '../../domain/deliveries/task.ts';
import { inParts } from '../../domain/in-parts.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import { publicationOf } from '../publish.ts';
import { cachedLaneLoads, decideRow } from './check-row.ts';
import { notifyStatus } from './notify-status.ts';
import { reconcileSmall } from './reconcile-small.ts';
import { resumeTask } from './resume-task.ts';
import type { SweepTools } from './sweep-tools.ts';

type SweepingTools = SweepTools & { readonly lane: ReturnType<typeof cachedLaneLoads> };

/** Starts a reconciliation: fan-out checks all subscriptions to the message's topic, except for the given protocols. */
async function reconcile(
  row: DueRow,
  skippedProtocols: readonly Protocol[] | undefined,
  { deliveries, queues }: SweepTools,
): Promise<'reconciled' | 'ended'> {
  const message = await deliveries.getMessage(row.messageId);
  if (message === undefined) return 'ended';
  const isFirstFanOut = message.shardBits === undefined;
  await queues.fanOut.send({
    payload: {
      ...publicationOf(message),
      isReconciliation: true,
      ...(isFirstFanOut && { isFirstFanOut }),
      ...(skippedProtocols && { skippedProtocols }),
    },
    group: message.topicUuid,
  });
  return 'reconciled';
}

/**
 * Starts a visit to parked messages, and schedules the next visit. Visits do not count as resumes, so the number of
 * visits is unlimited.
 */
async function startVisit(row: DueRow, tools: SweepTools): Promise<'visited' | 'taken'> {
  const { messageId: uuid, failingSince } = row;
  const now = tools.now();
  const forMs = visitWaitMs(failingSince, now, tools.settings.deliveryDays);
  if (!(await tools.deliveries.takeDue(row, now, { is: 'postponed', forMs, wasPostponed: false }))) return 'taken';
  await tools.queues.fanOut.send({ payload: { parkingOf: uuid }, group: uuid });
  return 'visited';
}

const noRows = { reconciled: 0, resumed: 0, visited: 0, notified: 0, asked: 0, ended: 0, postponed: 0, stuck: 0 };

type RowResult = keyof typeof noRows;

/** Handles a due row. `taken`: another run handles it. */
async function sweepRow(row: DueRow, tools: SweepingTools): Promise<RowResult | 'taken' | 'failed'> {
  const { protocol, messageId, taskKey } = row;
  try {
    if (taskKey === parkingKey) return await startVisit(row, tools);
    if (taskKey === statusCheckKey) return await notifyStatus(row, tools);
    if (taskKey === publicationKey && (await reconcileSmall(row, tools))) return 'reconciled';
    const look = await decideRow(row, tools.lane, tools);
    const isTaken = await tools.deliveries.takeDue(row, tools.now(), look);
    if (!isTaken) return 'taken';
    if (look.is === 'stuck') tools.onError(new InternalError('stuckTask', { messageId, taskKey }), row);
    if (look.is === 'inPart') return await reconcile(row, look.skippedProtocols, tools);
    if (look.is !== 'sent') return look.is;
    if (taskKey === recoveryKey) {
      await tools.queues.fanOut.send({ payload: { recoveryOf: messageId }, group: messageId });
      return 'resumed';
    }
    return protocol === undefined
      ? await reconcile(row, undefined, tools)
      : await resumeTask({ ...row, protocol }, tools);
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
