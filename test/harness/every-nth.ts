// The variable SAMPLE is 1 in `npm test`, 0.5 in `npm run test:rest`, and not set in `npm run test:nightly`.
const share = Number(process.env.SAMPLE ?? 0);

/**
 * Returns every nth case in `npm test`, starting with the case at `first`. `npm run test:rest` runs twice as many
 * cases, and `npm run test:nightly` runs all cases.
 */
export function everyNth<Case>(cases: readonly Case[], nth: number, first = 0): readonly Case[] {
  const step = Math.max(1, Math.ceil(nth * share));
  return cases.filter((_, index) => index % step === first % step);
}
