/**
 * Caches the result of a slow read for some minutes, between the invocations of a function. Failed reads are not
 * cached. `now` is in epoch milliseconds.
 */
export function cacheFor<Answer>(minutes: number): (ask: () => Promise<Answer>, now: number) => Promise<Answer> {
  let kept: { readonly answer: Promise<Answer>; readonly until: number } | undefined;
  return (ask, now) => {
    if (kept === undefined || kept.until <= now) {
      const asked = { answer: ask(), until: now + minutes * 60_000 };
      kept = asked;
      // The caller also receives the error.
      asked.answer.catch(() => {
        if (kept === asked) kept = undefined;
      });
    }
    return kept.answer;
  };
}
