import { workerLanes } from '../../../shared/contract/workers.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { FeedHooks, Source } from '../lambda/event-source.ts';
import type { Bill } from './bill.ts';
import { eventSource, latencyMs } from './costs.ts';
import type { Limits } from './limits.ts';

const secondMs = 1000;
const lanes: readonly { queue: string; batchSize: number; batchingSeconds?: number }[] = workerLanes;
// After a minute without messages, an event source returns to its initial number of batches.
const restsAfterMs = 60_000;
const bytesOfRequest = 64 * 1024;

/** Returns hooks that scale event sources as Lambda does: five batches at first, and more while messages wait. */
export function scalingSources(clock: VirtualClock, limits: Limits, bill: Bill): FeedHooks {
  const sources = new Map<Source, { since: number; lastBusy: number }>();

  /** Polls every second while messages wait, because the number of pollers keeps growing. */
  function keepPolling(source: Source): void {
    clock.after(secondMs, () => {
      const waiting = source.queue.ready;
      const state = sources.get(source);
      if (state !== undefined && waiting > 0) state.lastBusy = clock.now();
      if (waiting > 0 || (state !== undefined && clock.now() - state.lastBusy < restsAfterMs)) {
        if (waiting > 0) source.queue.onChange();
        keepPolling(source);
      } else sources.delete(source);
    });
  }

  function pollers(source: Source): number {
    let state = sources.get(source);
    if (state === undefined) {
      state = { since: clock.now(), lastBusy: clock.now() };
      sources.set(source, state);
      keepPolling(source);
    }
    const minutes = (clock.now() - state.since) / 60_000;
    return Math.min(eventSource.max, eventSource.first + Math.floor(minutes * eventSource.morePerMinute));
  }

  return {
    // An incomplete batch waits until the batching window ends.
    pollDelayMs: (queue) => {
      const lane = lanes.find((one) => one.queue === queue.name);
      const isFull = queue.ready >= (lane?.batchSize ?? 0);
      return latencyMs.poll + (isFull ? 0 : (lane?.batchingSeconds ?? 0) * 1000);
    },
    limit(source, running) {
      const max = pollers(source);
      if (source.queue.ready === 0) return max;
      const { name } = source.facts;
      if (running >= source.maxConcurrency)
        limits.record(`the maximum concurrency of ${name} (${source.maxConcurrency})`);
      else if (running >= max) limits.record(`the pollers of ${name} (5, plus 300 per minute)`);
      return max;
    },
    onReceive({ queue, facts }, messages) {
      for (let from = 0; from < messages.length; from += 10) {
        const bytes = messages.slice(from, from + 10).reduce((sum, { body }) => sum + body.length, 0);
        const requests = Math.max(1, Math.ceil(bytes / bytesOfRequest));
        bill.call('SQS', 'ReceiveMessage', queue.name, () => bill.request('SQS requests', requests, facts.name));
      }
    },
    deleted({ queue, facts }, settled) {
      for (let from = 0; from < settled.length; from += 10)
        bill.call('SQS', 'DeleteMessageBatch', queue.name, () => bill.request('SQS requests', 1, facts.name));
      return settled;
    },
  };
}
