import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';

/** Settings that define a retention period in days. */
type DaysSetting =
  | 'importDays'
  | 'deliveryDays'
  | 'journalDays'
  | 'journalLockDays'
  | 'logRetentionDays'
  | 'documentVersionDays'
  | 'backupDays';

/** A retention period: a number of days, or the value of a setting plus `more` days. */
export type Days = number | { readonly setting: DaysSetting; readonly more?: number };

/** Calculates the retention period in days from a deployment's settings; undefined if the data is kept forever. */
export function daysOf(days: Days, settings: Pick<DeploymentSettings, DaysSetting>): number | undefined {
  if (typeof days === 'number') return days;
  const value = settingValue(settings, days.setting);
  return value === '' ? undefined : value + (days.more ?? 0);
}

/** Returns a retention period in words, such as `30 days` or `journalDays days`. */
export function daysText(days: Days): string {
  if (typeof days === 'number') return days === 1 ? '1 day' : `${days} days`;
  return `${days.setting}${days.more === undefined ? '' : ` + ${days.more}`} days`;
}
