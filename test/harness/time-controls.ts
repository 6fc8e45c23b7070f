import { handler as sweepDeliveries } from '../../functions/deliveries/sweep.ts';
import type { Clock } from './clock.ts';
import type { Harness } from './harness.ts';

const minuteMs = 60_000;

interface Living {
  /** Epoch milliseconds. */
  readonly until?: number;
  readonly isSwept?: boolean;
  readonly mostEvents?: number;
}

/** Advances the clock and runs the queue functions and the sweeper at the times when they are due. */
export function createTimeControls({ now, moveTo }: Clock, { rows, nextShow }: Harness, work: () => Promise<void>) {
  const sweep = () => sweepDeliveries({});

  /** Returns the next time at which the sweeper must process a row, or undefined if no row is pending. */
  async function nextDue(): Promise<number | undefined> {
    const due = await rows('deliveries', {
      FilterExpression: 'begins_with(sweepShard, :due)',
      ExpressionAttributeValues: { ':due': { S: 'due#' } },
      ProjectionExpression: 'sweepAt',
    });
    const times = due.map(({ sweepAt }) => Number(sweepAt));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Advances the clock from event to event. An event is a message that becomes visible or a run of the sweeper (every
   * minute). Stops at `until`, or earlier if no events are left.
   * @throws Error if more than `mostEvents` events occur
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
