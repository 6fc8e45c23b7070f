import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

/** The settings that say for how many days something is kept. */
type DaysSetting = 'importDays' | 'ledgerDays' | 'journalDays' | 'logRetentionDays' | 'documentVersionDays';

/** For how long something is kept: so many days, or those of a setting and so many more. */
export type Days = number | { readonly setting: DaysSetting; readonly more?: number };

/** The days with the settings of a deployment; undefined where these say that it is kept for ever. */
export function daysOf(days: Days, settings: Pick<DeploymentSettings, DaysSetting>): number | undefined {
  if (typeof days === 'number') return days;
  const value = settingValue(settings, days.setting);
  return value === '' ? undefined : value + (days.more ?? 0);
}

/** The days as a table of the READMEs has them. */
export function daysText(days: Days | undefined): string {
  if (days === undefined) return '–';
  if (typeof days === 'number') return String(days);
  return `\`${days.setting}\`${days.more === undefined ? '' : ` + ${days.more}`}`;
}
