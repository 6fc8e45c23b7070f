/**
 * Returns a function that reuses the last result of `read` until the result is `maxAgeMs` old. Failures are cached too,
 * so that a failing service does not receive more requests. `now` returns milliseconds.
 */
export function readRarely<T>(read: () => Promise<T>, maxAgeMs: () => number, now: () => number): () => Promise<T> {
  let last: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    if (last === undefined || now() - readAt >= maxAgeMs()) {
      readAt = now();
      last = read();
      last.catch(() => {});
    }
    return last;
  };
}
