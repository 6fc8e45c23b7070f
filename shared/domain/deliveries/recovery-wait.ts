import { turnWaitMs } from './turn.ts';

/** How a step ended. `full`: as many wait as may; `unready`: the next message is being sent out; `long`: there is more to read. */
export type StepEnd = 'done' | 'full' | 'unready' | 'long';

const leastMs = 2000;
const unreadyMs = 60_000;
// What waits longer in the queue of fan-outs rings there: its alarm hears of 15 minutes.
const mostMs = 600_000;

/**
 * How long the next step of a recovery waits, in milliseconds: 2 seconds; a minute for what is being sent out; longer while the
 * receiver is failing. It doubles with each step in a row that found no room (`idle`, this one included), up to 10 minutes.
 */
export function recoveryWaitMs(is: StepEnd, idle: number, failingSince: number | undefined, now: number): number {
  if (is === 'unready') return unreadyMs;
  if (is !== 'full') return leastMs;
  const turnMs = failingSince === undefined ? leastMs : turnWaitMs(failingSince, now);
  return Math.min(Math.max(turnMs, leastMs * 2 ** Math.max(0, idle - 1)), mostMs);
}
