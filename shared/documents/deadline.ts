import { Refusal } from '../model/refusals.ts';
import { limits } from './limits.ts';

/** The time that a conversion has: so much for each page, so much in all. */
export interface Deadline {
  /** Milliseconds left for one more page; at least 1. */
  left(): number;
  /** Waits for a piece of work. @throws Refusal `conversionFailed` when its time is over first */
  within<Value>(work: Promise<Value>): Promise<Value>;
}

export const tooSlow = (): Refusal =>
  new Refusal('conversionFailed', 'converting this document takes too long; ask for the format that it is stored in');

/** @param now epoch milliseconds */
export function startDeadline(now: () => number = Date.now, total: number = limits.totalMilliseconds): Deadline {
  const end = now() + total;
  const left = (): number => Math.max(1, Math.min(limits.pageMilliseconds, end - now()));
  return {
    left,
    async within(work) {
      if (now() >= end) {
        // Nobody waits for it any more: it is refused already.
        work.catch(() => {});
        throw tooSlow();
      }
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(tooSlow()), left());
      try {
        return await Promise.race([work, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
