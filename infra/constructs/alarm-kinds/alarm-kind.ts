/** The title and the description of an alarm. `infra/runbook/alarms.md` has a section for each title. */
export interface AlarmKind {
  /** Alarms with severity `now` wake an operator. Alarms with severity `day` can wait until the next working day. */
  readonly severity: 'now' | 'day';
  readonly title: string;
  readonly condition: string;
  readonly impact: string;
  readonly check: readonly [string, string, string];
}
