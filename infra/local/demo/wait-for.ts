import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 100;

interface WaitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Polls until a value is available, and returns the value.
 * @throws Error on timeout; AbortError if the signal aborts
 */
export async function waitFor<Value>(
  what: string,
  poll: () => Promise<Value | undefined> | Value | undefined,
  { timeoutMs = 60_000, signal }: WaitOptions = {},
): Promise<Value> {
  for (const until = performance.now() + timeoutMs; ; ) {
    const found = await poll();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what} did not arrive within ${timeoutMs / 1000} s`);
    await sleep(intervalMs, undefined, { signal });
  }
}
