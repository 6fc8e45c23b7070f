import {
  publicationKey,
  recoveryKey,
  singleTaskKey,
  singleTaskPrefix,
} from '../../../shared/domain/deliveries/task.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import type { History, SubscriptionFacts } from './history.ts';
import type { Plan } from './plan.ts';

const minuteMs = 60_000;
const lateMs = 5 * minuteMs;

/** The attributes that the checks read from rows in the deliveries table. */
export interface WatchedRow {
  readonly messageShard: string;
  readonly taskKey: string;
  readonly messageId?: string;
  readonly state?: string;
  readonly owner?: string;
  readonly notBefore?: number;
  readonly leaseId?: string;
  readonly leaseUntil?: number;
  readonly outcomes?: Readonly<Record<string, { readonly next?: string }>>;
  readonly sweepShard?: string | undefined;
  readonly resumes?: number;
  readonly isStuck?: boolean;
  readonly isOver?: boolean;
  readonly hasRunAfterEffects?: boolean;
  readonly sent?: number;
  readonly stepId?: string;
  readonly sweepAt?: string;
}

/** A change that a function run makes to a row. */
export interface RowChange {
  readonly before: WatchedRow | undefined;
  readonly after: WatchedRow | undefined;
  readonly run: { readonly id: number; readonly name: string; readonly steps?: readonly string[] } | undefined;
}

interface WatchTools {
  readonly history: History;
  readonly plan: Pick<Plan, 'skewMs' | 'indexLagMs'>;
  readonly now: () => number;
  readonly rows: () => Iterable<WatchedRow>;
}

const isDue = (row: WatchedRow | undefined): boolean => row?.sweepShard?.startsWith('due#') === true;

const nameOf = ({ messageShard, taskKey }: WatchedRow): string => `${messageShard} ${taskKey}`;

// The functions that redeliver messages and must not change pending deliveries.
const redelivering: ReadonlySet<string> = new Set(['fanOut', 'redeliver', 'redeliverMessage']);

/**
 * Returns a function that checks each change to the deliveries table, and records the violations in the history. The
 * table must contain every open delivery at all times, because the queues may lose their messages.
 */
export function watchRows({ history, plan, now, rows }: WatchTools): (change: RowChange) => void {
  /** The ids of the runs that acquired leases, keyed by lease id. */
  const owners = new Map<string, number | undefined>();
  /** The times at which rows were last leased, keyed by row. */
  const leasedAt = new Map<string, number>();
  const report = (invariant: string, what: string): void => void history.violations.push({ invariant, what });

  function checkLease({ before, after, run }: RowChange): void {
    if (after?.leaseId !== undefined && after.leaseId !== before?.leaseId && after.state === 'leased') {
      owners.set(after.leaseId, run?.id);
      leasedAt.set(nameOf(after), now());
    }
    if (after?.state === 'leased' && ['delivered', 'failed', 'dropped'].includes(before?.state ?? ''))
      report('a completed delivery is attempted again only after it is reopened', nameOf(after));
    const isUnchanged = after?.state === before?.state && after?.state !== 'leased';
    if (before?.hasRunAfterEffects && isUnchanged && after?.leaseId !== before.leaseId)
      report('completed after-effects are not repeated', nameOf(before));
    if (before?.state !== 'leased' || run === undefined || owners.get(before.leaseId ?? '') === run.id) return;
    if ((before.leaseUntil ?? 0) > now() + 2 * plan.skewMs)
      report('only the run that holds the lease changes a row', `${nameOf(before)} by ${run.name}`);
  }

  /** Checks that each failed delivery of a batch has its own row as soon as the batch is recorded. */
  function checkOutcomes({ before, after }: RowChange): void {
    if (after?.outcomes === undefined || after.outcomes === before?.outcomes) return;
    const open = Object.entries(after.outcomes).filter(
      ([uuid, { next }]) => (next === 'retry' || next === 'failed') && before?.outcomes?.[uuid] === undefined,
    );
    if (open.length === 0) return;
    // The check waits until a transaction has written all its rows.
    queueMicrotask(() => {
      const known = new Set([...rows()].map(nameOf));
      for (const [uuid] of open)
        if (!known.has(nameOf({ ...after, taskKey: singleTaskKey(uuid) })))
          report('the deliveries table contains every open delivery', `${nameOf(after)} without a row of ${uuid}`);
    });
  }

  /** Checks that a message leaves the sweeper's index only after every delivery has been recorded. */
  function checkCompletion({ before, after }: RowChange): void {
    if (after?.taskKey !== publicationKey || !isDue(before) || after.sweepShard !== undefined) return;
    const { messageId = '' } = after;
    const message = history.messages.get(messageId);
    if (message === undefined) return;
    const own = [...rows()].filter((row) => row.messageShard.startsWith(`${messageId}#`));
    const recorded = new Set(own.flatMap(({ outcomes = {} }) => Object.keys(outcomes)));
    const known = new Set(own.map(({ taskKey }) => taskKey));
    const isWanting = (row: SubscriptionFacts): boolean => wantsEvent(row, message);
    const lagMs = plan.indexLagMs + 2 * plan.skewMs;
    for (const uuid of history.subscriptions.keys()) {
      const active = history.activeSince(uuid);
      if (active === undefined || active.row.generation !== message.generation) continue;
      const from = message.timestamp - 2 * plan.skewMs;
      if (active.since > Math.min(from, now() - lagMs) || !history.isSince(uuid, from, isWanting)) continue;
      if (recorded.has(uuid) || known.has(singleTaskKey(uuid))) continue;
      report('a message is complete only when every delivery is recorded', `${messageId} to ${uuid}`);
    }
  }

  /** Checks that a lost task is resent at most three times, at intervals that grow by a factor of four. */
  function checkResumes({ before, after }: RowChange): void {
    // A renewed confirmation request has a new row.
    if (before === undefined || after?.resumes === undefined || after.resumes <= (before.resumes ?? 0)) return;
    const name = nameOf(after);
    const everyMs = (after.taskKey === publicationKey ? 10 : 5) * minuteMs;
    const times = history.resumedAt.get(name) ?? [];
    const last = times.at(-1);
    history.resumedAt.set(name, [...times, now()]);
    if (Number(before.sweepAt ?? 0) > now() + 2 * plan.skewMs)
      report('the sweeper resumes only rows that are due', name);
    // A lease restarts the interval.
    const isLost = last !== undefined && (leasedAt.get(name) ?? 0) < last;
    // The last resumption may have been written minutes after the sweeper computed the time of the next resumption.
    const isEarly = before.resumes && isLost && now() - last < everyMs * 4 ** before.resumes - lateMs;
    if (after.resumes > 3 || isEarly)
      report('a lost task is resent at most three times, at growing intervals', `${name}: ${after.resumes}`);
  }

  /** Checks that a recovery makes progress, and that redeliveries leave pending deliveries unchanged. */
  function checkRecovery({ before, after, run }: RowChange): void {
    if (before === undefined || after === undefined || run === undefined) return;
    if (after.taskKey === recoveryKey && run.name !== 'recover') {
      const steps = run.steps ?? [];
      const isOwnStep = steps.includes(before.stepId ?? '') || steps.includes('');
      if (after.stepId !== before.stepId && !isOwnStep) report('a step of a recovery is recorded once', nameOf(after));
      const isReopened = before.isOver === true && after.isOver === false;
      if (isReopened || (!before.isOver && (after.sent ?? 0) < (before.sent ?? 0)))
        report(
          'the progress of a recovery never decreases',
          `${nameOf(after)}: ${before.sent} to ${after.sent} by ${run.name}`,
        );
    }
    const isPending = before.state === 'waiting' && !before.isStuck && before.taskKey.startsWith(singleTaskPrefix);
    if (isPending && after.state !== 'parked' && redelivering.has(run.name))
      report('a redelivery changes no pending delivery', `${nameOf(after)} by ${run.name}`);
  }

  return (change) => {
    checkLease(change);
    checkOutcomes(change);
    checkCompletion(change);
    checkResumes(change);
    checkRecovery(change);
  };
}
