/** How many attempts are made at once at a subscription that is failing. */
export const mostAtOnce = 5;

const leastWaitMs = 30_000;
const mostWaitMs = 15 * 60_000;

const share = (part: number, failingSince: number, now: number): number => Math.max(0, now - failingSince) * part;

/**
 * The least time between two attempts at a message while its receiver is failing: 5 % of the time since the first failure,
 * at most 15 minutes. Times in milliseconds; 0 where it is not failing.
 */
export const failingGapMs = (failingSince: number | undefined, now: number): number =>
  failingSince === undefined ? 0 : Math.min(share(0.05, failingSince, now), mostWaitMs);

/**
 * How long a message waits for its turn while others are tried: longer than they wait for their next attempts, so that those
 * keep their turn, and short enough to come soon when the receiver is back. 30 seconds to 15 minutes, in milliseconds.
 */
export const turnWaitMs = (failingSince: number, now: number): number =>
  Math.round(Math.min(Math.max(leastWaitMs, share(0.1, failingSince, now)), mostWaitMs));

/** Whether it is a message's turn: it is among the oldest that are being tried, or soon will be. */
export const isItsTurn = (messageId: string, oldest: readonly string[]): boolean =>
  oldest.length < mostAtOnce || oldest.slice(0, mostAtOnce).includes(messageId);
