import type { Call, Interference } from './interference.ts';

export type When = 'before' | 'after';

/**
 * Creates a process that dies during one of its calls. After the process dies, no call returns and no new call starts.
 * @param at the index (from 0) of the fatal call, or a predicate. By default, no call is fatal.
 * @param when whether the process dies before the call starts, or after the call takes effect but before the response
 * arrives
 */
export function createMortalProcess(
  at: number | ((call: Call) => boolean) = Number.POSITIVE_INFINITY,
  when: When = 'before',
) {
  const calls: (Call & { readonly isParallel: boolean })[] = [];
  let inFlight = 0;
  const death = Promise.withResolvers<void>();
  const silence = new Promise<never>(() => {});
  let isDead = false;
  const die = () => {
    isDead = true;
    death.resolve();
    return silence;
  };
  const interference: Interference = {
    death: death.promise,
    // Timers do not fire in a dead process.
    engine: (engine) => ({ ...engine, afterMs: (ms, run) => engine.afterMs(ms, () => void (isDead || run())) }),
    async call(call, go) {
      if (isDead) return silence;
      calls.push({ ...call, isParallel: inFlight > 0 });
      const isFatal = typeof at === 'number' ? calls.length === at + 1 : at(call);
      if (isFatal && when === 'before') return die();
      // A dead process receives no responses.
      inFlight += 1;
      const done = await Promise.allSettled([go()]);
      inFlight -= 1;
      if (isFatal) return die();
      if (isDead) return silence;
      if (done[0].status === 'rejected') throw done[0].reason;
      return done[0].value;
    },
  };
  return {
    interference,
    /** The calls that the process started, in order, including the fatal call. */
    calls,
    hasStruck: () => isDead,
    death: death.promise,
  };
}

export type Mortal = ReturnType<typeof createMortalProcess>;
