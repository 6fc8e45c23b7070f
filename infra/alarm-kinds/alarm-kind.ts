/** What an alarm says beside its name: a section of `infra/RUNBOOK.md` has the same title, and goes on from there. */
export interface AlarmKind {
  /** `now` wakes somebody; `day` can wait until the next working day. */
  readonly severity: 'now' | 'day';
  readonly title: string;
  /** When it rings, with the reason of the threshold. */
  readonly rings: string;
  /** Who is hurt. */
  readonly hurts: string;
  /** The first three things to look at. */
  readonly look: readonly [string, string, string];
}
