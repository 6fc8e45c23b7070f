import { expect, it } from 'vitest';
import { attempt } from '../../shared/delivery/attempt.ts';
import type { DeliveryContext, Progress } from '../../shared/delivery/delivery-context.ts';
import { aMessage, aNotification, aSubscription, aTask, noon } from '../harness/builders.ts';

const person = aSubscription();
const task = aTask(aNotification(), [person]);

/**
 * Makes an attempt with a test clock. The arguments set how long it takes to connect, how long the response takes, and
 * how long the request waits in our own queue.
 */
async function attempted(connectsMs: number, answersMs: number, queuedMs = 0) {
  let now = noon;
  const timers: { at: number; run: () => void }[] = [];
  const passTo = (at: number) => {
    for (const timer of timers.filter((one) => one.at <= at)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
    now = at;
  };
  const notes: number[] = [];
  const context = {
    now: () => now,
    jitter: () => 0,
    settings: {},
    afterMs: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
    },
    subscriptions: { recordHealth: async () => void notes.push(now) },
    sender: {
      async deliver(_message: unknown, _recipient: unknown, progress: Progress) {
        passTo(noon + queuedMs);
        progress.onConnecting();
        passTo(noon + queuedMs + connectsMs);
        progress.onBegun();
        passTo(noon + queuedMs + connectsMs + answersMs);
        return { class: 'delivered' as const, status: 200 };
      },
    },
  } as unknown as DeliveryContext;
  const { outcome } = await attempt(task, aMessage(), { base: 0 }, person, context);
  return { tookMs: outcome.tookMs, isNoted: notes.length > 0, timers: timers.length };
}

it('a receiver is not marked as failing if the connection takes less than 5 seconds', async () => {
  expect(await attempted(2400, 80)).toEqual({ tookMs: 80, isNoted: false, timers: 0 });
});

it('a receiver is not marked as failing while the request waits in our own queue', async () => {
  expect(await attempted(10, 80, 12_000)).toEqual({ tookMs: 80, isNoted: false, timers: 0 });
});

it('a receiver is marked as failing if it does not respond within one second of the request', async () => {
  expect(await attempted(10, 999)).toEqual({ tookMs: 999, isNoted: false, timers: 0 });
  expect(await attempted(10, 1000)).toEqual({ tookMs: 1000, isNoted: true, timers: 0 });
});

it('a receiver is marked as failing if the connection takes 5 seconds or longer', async () => {
  expect(await attempted(5000, 10)).toMatchObject({ isNoted: true, timers: 0 });
});
