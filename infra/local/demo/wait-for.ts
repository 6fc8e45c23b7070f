import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 100;

interface Patience {
  readonly withinMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks until there is something, and answers it.
 * @throws Error that says what did not come in time; AbortError where waiting was given up
 */
export async function waitFor<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
  { withinMs = 60_000, signal }: Patience = {},
): Promise<Value> {
  for (const until = performance.now() + withinMs; ; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what} did not come within ${withinMs / 1000} s`);
    await sleep(everyMs, undefined, { signal });
  }
}
