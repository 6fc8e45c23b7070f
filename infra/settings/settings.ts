import {
  settingGroups as functionGroups,
  settings as functionSettings,
  type Setting,
  schemaOf,
} from '../../shared/contract/settings.ts';
import { firstIssue } from '../../shared/domain/first-issue.ts';
import { OptionError } from '../operate/command-line.ts';
import { stackSettingGroups, stackSettings } from './stack-settings.ts';

/** Thrown if a setting or stage cannot be deployed. The message is one line for the operator. */
export class SettingError extends OptionError {}

/** All settings of a deployment: the settings that functions read, and the settings that only the stacks read. */
export const settings = { ...functionSettings, ...stackSettings };

export const settingGroups = Object.entries(functionGroups).map(([topic, group]) => ({
  topic,
  group: { ...group, ...stackSettingGroups[topic as keyof typeof functionGroups] } as Readonly<Record<string, Setting>>,
}));

type Name = keyof typeof settings;

export type DeploymentSettings = Readonly<Record<Name, string>>;

/** The settings in a stage's file. Missing settings have default values. */
export type StageSettings = Readonly<Partial<Record<Exclude<Name, 'stage'>, string | number | boolean>>>;

export const settingValue = <N extends Name>(given: Pick<DeploymentSettings, N>, name: N) =>
  schemaOf(settings[name]).parse(given[name]) as ReturnType<ReturnType<(typeof settings)[N]['schema']>['parse']>;

export const extraAttributesOf = (given: Pick<DeploymentSettings, 'extraAttributes'>): readonly string[] =>
  settingValue(given, 'extraAttributes');

/**
 * Reads and checks every setting. Missing settings have default values.
 * @throws SettingError that names the setting, its meaning and the problem
 */
export function readDeploymentSettings(given: (name: Name) => unknown): DeploymentSettings {
  const values = Object.entries<Setting>(settings).map(([name, setting]) => {
    const value = String(given(name as Name) ?? setting.default);
    const parsed = schemaOf(setting).safeParse(value);
    if (!parsed.success) {
      throw new SettingError(`setting ${name} (${setting.meaning}): ${firstIssue(parsed.error).message}`);
    }
    return [name, value];
  });
  return Object.fromEntries(values) as DeploymentSettings;
}
