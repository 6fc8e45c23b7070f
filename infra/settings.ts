import { type SettingName, settings } from '../shared/contract/settings.ts';

/** Every setting as text, as the functions will read it, checked. */
export type DeploymentSettings = Readonly<Record<SettingName, string>>;

/** The attributes that a deployment declares beyond OSIA's eleven. */
export const extraAttributesOf = ({ extraAttributes }: DeploymentSettings): readonly string[] =>
  settings.extraAttributes.schema().parse(extraAttributes);

/**
 * Takes the settings from where they are given (CDK context), fills in defaults and checks them.
 * @throws an Error that names the setting, what it means and what was wrong
 */
export function readDeploymentSettings(given: (name: SettingName) => unknown): DeploymentSettings {
  const names = Object.keys(settings) as SettingName[];
  const values = names.map((name) => {
    const { schema, meaning, default: fallback } = settings[name];
    const value = String(given(name) ?? fallback);
    const parsed = schema().safeParse(value);
    if (!parsed.success) {
      throw new Error(`setting ${name} (${meaning}): ${parsed.error.issues[0]?.message ?? 'is not acceptable'}`);
    }
    return [name, value];
  });
  return Object.fromEntries(values) as DeploymentSettings;
}
