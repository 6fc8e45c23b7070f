import type { Call, Interference } from './interference.ts';

export type When = 'before' | 'after';

/** A process that dies at one of its calls: none of its calls ever comes back, and it begins no other. */
export interface Mortal {
  readonly interference: Interference;
  /** The calls that it began, in order, the fatal one included. */
  readonly calls: readonly Call[];
  readonly hasStruck: () => boolean;
  readonly death: Promise<void>;
}

/**
 * @param at the call at which it dies, from 0, or the first like this; none by default
 * @param when `before` the call is made, or `after` it took effect and before its answer is seen
 */
export function mortal(
  at: number | ((call: Call) => boolean) = Number.POSITIVE_INFINITY,
  when: When = 'before',
): Mortal {
  const calls: Call[] = [];
  const death = Promise.withResolvers<void>();
  const silence = new Promise<never>(() => {});
  let isDead = false;
  const die = () => {
    isDead = true;
    death.resolve();
    return silence;
  };
  return {
    calls,
    hasStruck: () => isDead,
    death: death.promise,
    interference: {
      death: death.promise,
      // A dead process has no timers either.
      engine: (engine) => ({ ...engine, afterMs: (ms, run) => engine.afterMs(ms, () => void (isDead || run())) }),
      async call(call, go) {
        if (isDead) return silence;
        calls.push(call);
        const isFatal = typeof at === 'number' ? calls.length === at + 1 : at(call);
        if (isFatal && when === 'before') return die();
        // An answer, or a refusal, that comes to a dead process comes to nobody.
        const done = await Promise.allSettled([go()]);
        if (isFatal) return die();
        if (isDead) return silence;
        if (done[0].status === 'rejected') throw done[0].reason;
        return done[0].value;
      },
    },
  };
}
