// `npm test` sets 1, `npm run test:rest` sets 0.5, and `npm run test:nightly` tries every case.
const share = Number(process.env.SAMPLE ?? 0);

/**
 * Returns every nth case in `npm test`, starting with the case at `first`. `npm run test:rest` tries twice as many cases,
 * and `npm run test:nightly` tries all.
 */
export function everyNth<Case>(cases: readonly Case[], nth: number, first = 0): readonly Case[] {
  const step = Math.max(1, Math.ceil(nth * share));
  return cases.filter((_, index) => index % step === first % step);
}
