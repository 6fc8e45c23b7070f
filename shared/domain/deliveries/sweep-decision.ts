import { type Protocol, protocols } from '../subscriptions/subscription.ts';

/**
 * The numbers of waiting and delayed messages in a queue. A lane has delayed messages only while an internal limit
 * stops the lane.
 */
export interface QueueLoad {
  readonly waiting: number;
  readonly delayed: number;
}

export interface LaneLoad extends QueueLoad {
  /** The minimum number of messages that the workers process per second. */
  readonly perSecond: number;
}

/** The sweeper's decision about a due row. The sweeper checks the row again after `forMs` milliseconds. */
export type SweepDecision =
  | {
      /**
       * `inPart`: a reconciliation that skips protocols whose lanes are stopped or full. A partial reconciliation does
       * not count as an attempt.
       */
      readonly is: 'postponed' | 'inPart';
      readonly forMs: number;
      readonly wasPostponed: boolean;
      readonly skippedProtocols?: readonly Protocol[];
    }
  | { readonly is: 'sent'; readonly forMs: number }
  | { readonly is: 'stuck' };

interface SweptRow {
  readonly resumes: number;
  /** True if the row has already waited once for the lane to drain. */
  readonly wasPostponed: boolean;
  readonly lanes: readonly LaneLoad[];
  readonly everyMs: number;
  /** The sweeper does not postpone the row if the lane can drain within `quickMs`. */
  readonly quickMs: number;
}

export const maxResumes = 3;
const longestMs = 12 * 3600 * 1000;
const heldUpMs = 15 * 60 * 1000;

/**
 * Decides whether to resume a row that has no outcome. The row's task may still be in a queue, so the row is postponed
 * once until the lane has delivered its current messages. Rows are also postponed while the lane is stopped. After each
 * resume, the sweeper waits four times as long before the next check. After three resumes, the row is stuck.
 */
export function decideSweep({ resumes, wasPostponed, lanes, everyMs, quickMs }: SweptRow): SweepDecision {
  if (lanes.some(({ delayed }) => delayed > 0)) return { is: 'postponed', forMs: heldUpMs, wasPostponed: false };
  const servedMs = Math.max(0, ...lanes.map(({ waiting, perSecond }) => (waiting / perSecond) * 1000));
  if (!wasPostponed && servedMs > quickMs) {
    return { is: 'postponed', forMs: Math.round(Math.min(servedMs, longestMs)) + everyMs, wasPostponed: true };
  }
  return resumes >= maxResumes ? { is: 'stuck' } : { is: 'sent', forMs: everyMs * 4 ** (resumes + 1) };
}

interface ReconciledRow extends SweptRow {
  readonly lanesOf: Readonly<Record<Protocol, readonly LaneLoad[]>>;
  readonly skippedProtocols: readonly Protocol[];
}

/**
 * Decides whether to reconcile a message. A reconciliation sends every open task again. The reconciliation skips
 * protocols whose lanes are stopped or full, so that one protocol does not delay another. The next reconciliation
 * starts only when at least one of the skipped protocols is available again.
 */
export function decideReconciliation({ lanesOf, skippedProtocols, ...looked }: ReconciledRow): SweepDecision {
  const whole = decideSweep(looked);
  if (whole.is === 'postponed') return whole;
  // The lanes of the skipped protocols have had time to deliver their messages.
  const isPutOffBefore = looked.wasPostponed && skippedProtocols.length > 0;
  const waits = protocols.flatMap((protocol) => {
    const look = decideSweep({ ...looked, resumes: 0, wasPostponed: isPutOffBefore, lanes: lanesOf[protocol] });
    return look.is === 'postponed' ? [{ ...look, protocol }] : [];
  });
  if (waits.length === 0) return whole;
  const now = waits.map(({ protocol }) => protocol);
  const forMs = Math.min(...waits.map((wait) => wait.forMs));
  const wasPostponed = waits.some((wait) => wait.wasPostponed);
  const isMadeAlready = skippedProtocols.length > 0 && skippedProtocols.every((protocol) => now.includes(protocol));
  if (isMadeAlready) return { is: 'postponed', forMs, wasPostponed };
  const isNobodyLeft = now.length === protocols.length || whole.is === 'stuck';
  return { is: isNobodyLeft ? 'postponed' : 'inPart', forMs, wasPostponed, skippedProtocols: now };
}
