/** Times are RFC 3339, in UTC with milliseconds, so that they compare as text. Both ends are included. */
interface Part {
  readonly from: string;
  readonly to: string;
}

/** What a recovery covers, and how far it has come. */
interface Covered {
  readonly stepId: string;
  readonly since: string;
  readonly until: string;
  /** The part that is being passed over; without it, the whole. */
  readonly pass?: Part | undefined;
  /** The part that was passed over before. */
  readonly passed?: Part | undefined;
  readonly sent: number;
  readonly isOver: boolean;
  readonly isStuck?: boolean | undefined;
}

const earliest = (one: string, other: string): string => (one < other ? one : other);
const latest = (one: string, other: string): string => (one > other ? one : other);

/** The part that a recovery passes over now. */
export const passOf = ({ pass, since, until }: Pick<Covered, 'pass' | 'since' | 'until'>): Part =>
  pass ?? { from: since, to: until };

/**
 * What stands once a recovery is asked for: one that is under way goes on where it is, and comes to what it is asked for beyond that
 * when it has passed over its part: asking again and again holds up none. One that rests as stuck goes on by a new step.
 */
export function mergedRecovery(
  stands: Covered | undefined,
  asked: Pick<Covered, 'stepId' | 'since' | 'until'>,
): { readonly recovery: Omit<Covered, 'isStuck'>; readonly isBegun: boolean } {
  if (stands === undefined || stands.isOver) return { recovery: { ...asked, sent: 0, isOver: false }, isBegun: true };
  const { isStuck = false, ...rest } = stands;
  const since = earliest(stands.since, asked.since);
  const until = latest(stands.until, asked.until);
  const stepId = isStuck ? asked.stepId : stands.stepId;
  return { recovery: { ...rest, stepId, since, until, pass: passOf(stands) }, isBegun: isStuck };
}

/** What is passed over after the part that has come to its end, the earlier first; undefined when nothing is left. */
export function nextPass(
  recovery: Pick<Covered, 'pass' | 'passed' | 'since' | 'until'>,
): { readonly pass: Part; readonly passed: Part } | undefined {
  const { since, until, passed: before } = recovery;
  const pass = passOf(recovery);
  const passed = before ? { from: earliest(before.from, pass.from), to: latest(before.to, pass.to) } : pass;
  if (since < passed.from) return { pass: { from: since, to: passed.from }, passed };
  return passed.to < until ? { pass: { from: passed.to, to: until }, passed } : undefined;
}
