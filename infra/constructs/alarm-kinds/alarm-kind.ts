/** The texts of an alarm. `infra/RUNBOOK.md` has a section with the same title. */
export interface AlarmKind {
  /** `now` wakes an operator; `day` can wait until the next working day. */
  readonly severity: 'now' | 'day';
  readonly title: string;
  readonly condition: string;
  readonly impact: string;
  readonly check: readonly [string, string, string];
}
