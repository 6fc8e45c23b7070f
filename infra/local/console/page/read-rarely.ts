/**
 * Returns a function that reads again only when the last read began at least `maxAgeMs` ago. The function also keeps a failure,
 * because a service that fails must not get more requests. `now` returns milliseconds.
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
