/**
 * Keeps the answer of a slow question for some minutes, between the invocations of one function. `now` is epoch
 * milliseconds. A question that failed is asked again.
 */
export function cacheFor<Answer>(minutes: number): (ask: () => Promise<Answer>, now: number) => Promise<Answer> {
  let kept: { readonly answer: Promise<Answer>; readonly until: number } | undefined;
  return (ask, now) => {
    if (kept === undefined || kept.until <= now) {
      const asked = { answer: ask(), until: now + minutes * 60_000 };
      kept = asked;
      // The caller gets the error too.
      asked.answer.catch(() => {
        if (kept === asked) kept = undefined;
      });
    }
    return kept.answer;
  };
}
