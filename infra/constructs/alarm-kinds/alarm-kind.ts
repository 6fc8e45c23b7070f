/** The texts of an alarm. A section of `infra/RUNBOOK.md` has the same title. */
export interface AlarmKind {
  /** `now` wakes an operator; `day` can wait until the next working day. */
  readonly severity: 'now' | 'day';
  readonly title: string;
  readonly condition: string;
  readonly impact: string;
  readonly check: readonly [string, string, string];
}
