/**
 * Creates a cache that keeps the result of a slow read for the given number of minutes, across invocations. Failed
 * reads are not cached. `now` is in epoch milliseconds.
 */
export function cacheFor<Value>(minutes: number): (read: () => Promise<Value>, now: number) => Promise<Value> {
  let cached: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return (read, now) => {
    if (cached === undefined || cached.until <= now) {
      const latest = { value: read(), until: now + minutes * 60_000 };
      cached = latest;
      // The callback only clears the cache; the caller handles the error.
      latest.value.catch(() => {
        if (cached === latest) cached = undefined;
      });
    }
    return cached.value;
  };
}
