/**
 * Returns every nth case, but at least one. `first` selects among the possible samples: it is the index of a case, and
 * may be any whole number. `npm run test:nightly` returns all cases.
 */
export function everyNth<Case>(cases: readonly Case[], nth: number, first = 0): readonly Case[] {
  const step = process.env.ALL_CASES ? 1 : Math.max(1, Math.min(nth, cases.length));
  return cases.filter((_, index) => index % step === first % step);
}
