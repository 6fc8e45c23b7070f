import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';

/** The settings that say for how many days something is kept. */
type DaysSetting =
  | 'importDays'
  | 'ledgerDays'
  | 'journalDays'
  | 'journalLockDays'
  | 'logRetentionDays'
  | 'documentVersionDays';

/** For how long something is kept: so many days, or those of a setting and so many more, but not less than `least`. */
export type Days = number | { readonly setting: DaysSetting; readonly more?: number; readonly least?: number };

/** The days with the settings of a deployment; undefined where these say that it is kept for ever. */
export function daysOf(days: Days, settings: Pick<DeploymentSettings, DaysSetting>): number | undefined {
  if (typeof days === 'number') return days;
  const value = settingValue(settings, days.setting);
  return value === '' ? undefined : Math.max(value + (days.more ?? 0), days.least ?? 0);
}

/** The days as a table of the READMEs has them. */
export function daysText(days: Days | undefined): string {
  if (days === undefined) return '–';
  if (typeof days === 'number') return String(days);
  const more = days.more === undefined ? '' : ` + ${days.more}`;
  return `\`${days.setting}\`${more}${days.least === undefined ? '' : `, at least ${days.least}`}`;
}
