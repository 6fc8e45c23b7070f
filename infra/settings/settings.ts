import { settings as functionSettings, type Setting } from '../../shared/contract/settings.ts';
import { SettingError } from './setting-error.ts';
import { stackSettings } from './stack-settings.ts';

/** Every setting of a deployment: those that functions read, and those that only the stacks do. */
export const settings = { ...functionSettings, ...stackSettings };

type Name = keyof typeof settings;

/** Every setting as text, as the functions will read it, checked. */
export type DeploymentSettings = Readonly<Record<Name, string>>;

/** What a stage's file says: the settings that differ from their defaults. */
export type StageSettings = Readonly<Partial<Record<Exclude<Name, 'stage'>, string | number | boolean>>>;

/** A setting's value, as its schema reads it. */
export const settingValue = <N extends Name>(given: Pick<DeploymentSettings, N>, name: N) =>
  settings[name].schema().parse(given[name]) as ReturnType<ReturnType<(typeof settings)[N]['schema']>['parse']>;

/** The attributes that a deployment declares beyond OSIA's eleven. */
export const extraAttributesOf = (given: Pick<DeploymentSettings, 'extraAttributes'>): readonly string[] =>
  settingValue(given, 'extraAttributes');

/**
 * Takes the settings from where they are given, fills in defaults and checks them.
 * @throws a SettingError that names the setting, what it means and what was wrong
 */
export function readDeploymentSettings(given: (name: Name) => unknown): DeploymentSettings {
  const values = Object.entries<Setting>(settings).map(([name, { schema, meaning, default: fallback }]) => {
    const value = String(given(name as Name) ?? fallback);
    const parsed = schema().safeParse(value);
    if (!parsed.success) {
      throw new SettingError(`setting ${name} (${meaning}): ${parsed.error.issues[0]?.message ?? 'is not acceptable'}`);
    }
    return [name, value];
  });
  return Object.fromEntries(values) as DeploymentSettings;
}
