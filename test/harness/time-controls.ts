import { handler as sweepLedger } from '../../functions/deliveries/sweep.ts';
import type { Clock } from './clock.ts';
import type { Harness } from './harness.ts';

const minuteMs = 60_000;

interface Living {
  /** Epoch milliseconds. */
  readonly until?: number;
  readonly isSwept?: boolean;
  readonly mostEvents?: number;
}

/** Lets time pass for the queues, their functions and the sweeper. */
export function livingBy({ now, moveTo }: Clock, { rows, nextShow }: Harness, work: () => Promise<void>) {
  const sweep = () => sweepLedger({});

  /** When the sweeper finds something next; undefined when the ledger waits for nothing. */
  async function nextDue(): Promise<number | undefined> {
    const times = (await rows('deliveries'))
      .filter(({ sweepShard }) => String(sweepShard).startsWith('due#'))
      .map(({ sweepAt }) => Number(sweepAt));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Lets time pass from one event to the next: queues show what is due, and the sweeper, who runs every minute, looks at
   * what is overdue. Ends when nothing is left to do, or at `until`.
   * @throws when there is no end: after `mostEvents` events
   */
  async function live({ until = Number.POSITIVE_INFINITY, isSwept = true, mostEvents = 400 }: Living = {}) {
    for (let events = 0; ; events += 1) {
      if (events > mostEvents) throw new Error(`no end after ${events} events`);
      await work();
      const due = isSwept ? await nextDue() : undefined;
      const nextSweep = due === undefined ? undefined : Math.ceil((due + 1) / minuteMs) * minuteMs;
      const times = [nextShow(), nextSweep].filter((at) => at !== undefined);
      if (times.length === 0 || Math.min(...times) > until) break;
      moveTo(Math.max(now(), Math.min(...times)));
      if (due !== undefined && due <= now()) await sweep();
    }
    if (Number.isFinite(until)) moveTo(until);
  }

  return { live, nextDue, sweep };
}
