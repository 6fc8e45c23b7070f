/**
 * Creates a cache that keeps the result of a slow read for some minutes, across invocations. Failed reads are not
 * cached. `now` is in epoch milliseconds.
 */
export function cacheFor<Value>(minutes: number): (read: () => Promise<Value>, now: number) => Promise<Value> {
  let cached: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return (read, now) => {
    if (cached === undefined || cached.until <= now) {
      const latest = { value: read(), until: now + minutes * 60_000 };
      cached = latest;
      // The caller handles the error. Here, it only empties the cache.
      latest.value.catch(() => {
        if (cached === latest) cached = undefined;
      });
    }
    return cached.value;
  };
}
