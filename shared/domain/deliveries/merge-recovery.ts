/** What a recovery covers; times are RFC 3339, in UTC with milliseconds, so that they compare as text. */
interface Covered {
  readonly stepId: string;
  readonly since: string;
  readonly until: string;
  readonly sent: number;
  readonly isOver: boolean;
}

const latest = (one: string, other: string): string => (one > other ? one : other);

/**
 * What stands once a recovery is asked for: one that is under way and began early enough goes on for longer; one that began later
 * begins anew, from the earlier time, and covers both. Asking again and again holds up none.
 */
export function mergedRecovery<Stands extends Covered>(
  stands: Stands | undefined,
  asked: Pick<Covered, 'stepId' | 'since' | 'until'>,
): { readonly recovery: Covered | Stands; readonly isBegun: boolean } {
  if (stands === undefined || stands.isOver) return { recovery: { ...asked, sent: 0, isOver: false }, isBegun: true };
  const until = latest(stands.until, asked.until);
  if (stands.since <= asked.since) return { recovery: { ...stands, until }, isBegun: false };
  return { recovery: { ...asked, until, sent: stands.sent, isOver: false }, isBegun: true };
}
