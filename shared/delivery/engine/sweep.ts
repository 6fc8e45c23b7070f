import { recoveryKey } from '../../domain/deliveries/task-key.ts';
import { inParts } from '../../domain/in-parts.ts';
import { refer } from '../../domain/messages/refer.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { RecoveryPayload } from '../../model/deliveries/recovery-payload.ts';
import { Fault } from '../../model/faults.ts';
import type { Protocol } from '../../model/subscriptions/subscription.ts';
import type { OnRowFault } from '../../storage/deliveries/rows.ts';
import type { DueRow } from '../../storage/deliveries/sweep.ts';
import type { Queue } from '../../storage/queues/queues.ts';
import { type LaneTools, type LookTools, lanesOnce, lookAt } from './look-at.ts';
import { type ResumeTools, resume } from './resume.ts';

/** What the sweeper needs. */
export type SweepTools = ResumeTools & {
  readonly queues: { readonly fanOut: Pick<Queue<FanOutPayload | RecoveryPayload>, 'send'> };
  /** Hears of a row that failed, which stays due, and of one that is stuck. */
  readonly onFault: OnRowFault;
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
  const { publicationId, contentId: _, bits: __, expiresAt: ___, ...notification } = message;
  await queues.fanOut.send({
    payload: {
      publicationId,
      notification: refer(notification),
      isAudit: true,
      ...(leftOut.length > 0 && { leftOut }),
    },
    group: notification.topicUuid,
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

/**
 * Looks at every row whose time has come and gone, and makes again what the queues should have had: retries, attempts,
 * confirmations, and the audit of each publication. Made twice they do no harm. Answers how many of each; a row that
 * fails stops neither the others nor the pages after it; where as many as are worked on at once fail together, the reason is
 * none of theirs, and the next run goes on.
 */
export async function sweepOnce(tools: SweepTools): Promise<Record<Done, number>> {
  const counts = { audited: 0, resumed: 0, asked: 0, ended: 0, putOff: 0, stuck: 0 };
  const until = tools.now() + mostMs;
  const looking = { ...tools, lane: lanesOnce(tools) };
  for await (const page of tools.ledger.due(tools.now(), tools.onFault)) {
    // Retries and confirmations before audits.
    const rows = page.toSorted((a, b) => Number(a.protocol === undefined) - Number(b.protocol === undefined));
    for (const some of inParts(rows, width)) {
      const done = await Promise.all(some.map((row) => sweepRow(row, looking)));
      for (const one of done) if (one !== 'taken' && one !== 'failed') counts[one] += 1;
      const isBroken = done.length === width && done.every((one) => one === 'failed');
      if (isBroken || tools.now() > until) return counts;
    }
    if (tools.now() > until) return counts;
  }
  return counts;
}
