const isSample = process.env.SAMPLE === 'true';

/** Returns every nth case in `npm test`, starting with the case at `first`, and all cases otherwise. */
export const everyNth = <Case>(cases: readonly Case[], nth: number, first = 0): readonly Case[] =>
  isSample ? cases.filter((_, index) => index % nth === first) : cases;
