import { publicationKey, recoveryKey } from '../../domain/deliveries/task-key.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { RecoveryPayload } from '../../model/deliveries/recovery-payload.ts';
import { Fault } from '../../model/faults.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import type { OnRowFault } from '../../storage/deliveries/rows.ts';
import type { Queue } from '../../storage/queues/store.ts';
import { type LaneTools, type LookTools, lanesOnce, lookAt } from '../sweep/check-row.ts';
import { type ResumeTools, resume } from '../sweep/resume-task.ts';
import { publicationOf } from './publication-of.ts';
import { type SettleTools, settleSmall } from './settle-small.ts';

/** What the sweeper needs. */
export type SweepTools = ResumeTools &
  SettleTools & {
    readonly queues: { readonly fanOut: Pick<Queue<FanOutPayload | RecoveryPayload>, 'send'> };
    /** Hears of a row that failed, which stays due or is audited through the queue, and of one that is stuck. */
    readonly onFault: OnRowFault;
    /** Hears for how long the oldest row that it came to has been due, milliseconds; 0 where none is. */
    readonly onOldest: (dueForMs: number) => void;
  } & LaneTools;

type LookingTools = SweepTools & LookTools;

/** A publication is audited: every subscription of its topic must have its outcome, but for protocols that are left out now. */
async function audit(
  row: DueRow,
  leftOut: readonly Protocol[],
  { ledger, queues }: SweepTools,
): Promise<'audited' | 'ended'> {
  const message = await ledger.message(row.messageId);
  if (message === undefined) return 'ended';
  const isUnbegun = message.bits === undefined;
  await queues.fanOut.send({
    payload: {
      ...publicationOf(message),
      isAudit: true,
      ...(isUnbegun && { isUnbegun }),
      ...(leftOut.length > 0 && { leftOut }),
    },
    group: message.topicUuid,
  });
  return 'audited';
}

/** A recovery whose next step was lost. */
async function goOn({ messageId: uuid }: DueRow, { queues }: SweepTools): Promise<'resumed'> {
  await queues.fanOut.send({ payload: { recoveryOf: uuid }, group: uuid });
  return 'resumed';
}

type Done = 'audited' | 'resumed' | 'asked' | 'ended' | 'putOff' | 'stuck';

/** `taken`: by another run. */
async function sweepRow(row: DueRow, tools: LookingTools): Promise<Done | 'taken' | 'failed'> {
  const { protocol, messageId, taskKey } = row;
  try {
    if (taskKey === publicationKey && (await settleSmall(row, tools))) return 'audited';
    const look = await lookAt(row, tools);
    const isTaken = await tools.ledger.take(row, tools.now(), look);
    if (!isTaken) return 'taken';
    if (look.is === 'stuck') tools.onFault(new Fault('stuckTask', { messageId, taskKey }), row);
    if (look.is === 'inPart') return await audit(row, look.leftOut, tools);
    if (look.is !== 'sent') return look.is;
    if (taskKey === recoveryKey) return await goOn(row, tools);
    return protocol === undefined ? await audit(row, [], tools) : await resume({ ...row, protocol }, tools);
  } catch (error) {
    tools.onFault(error, row);
    return 'failed';
  }
}

// Rows worked on side by side.
const width = 25;
// What is not reached by then is the next run's: the function must not be stopped in the middle.
const mostMs = 45_000;

/** Answers whether to go on: not where the run's time is over, nor where all that are worked on at once fail together. */
async function sweepPage(page: DueRow[], counts: Record<Done, number>, until: number, tools: LookingTools) {
  // Retries and confirmations before audits.
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
 * Looks at every row whose time has come and gone, and makes again what the queues should have had: retries, attempts,
 * confirmations, and the audit of each publication. Made twice they do no harm. Answers how many of each; a row that
 * fails stops neither the others nor the pages after it; where as many as are worked on at once fail together, the reason is
 * none of theirs, and the next run goes on.
 */
export async function sweepOnce(tools: SweepTools): Promise<Record<Done, number>> {
  const counts = { audited: 0, resumed: 0, asked: 0, ended: 0, putOff: 0, stuck: 0 };
  const now = tools.now();
  let oldest = now;
  const looking = { ...tools, lane: lanesOnce(tools) };
  for await (const page of tools.ledger.due(now, tools.onFault)) {
    oldest = Math.min(oldest, ...page.map(({ sweepAt }) => Number(sweepAt)));
    const goesOn = await sweepPage(page, counts, now + mostMs, looking);
    if (!goesOn) break;
  }
  tools.onOldest(now - oldest);
  return counts;
}
