import { readdirSync } from 'node:fs';
import { checkSettings } from './check-settings.ts';
import { SettingError } from './setting-error.ts';
import { type DeploymentSettings, readDeploymentSettings, type StageSettings, settings } from './settings.ts';
import { givenSettings } from './stack-settings.ts';

// Feature flags of CDK, and what it has looked up, have names like `@aws-cdk/core:…` and `availability-zones:…`.
const isOurs = (key: string): boolean => !/[/:]/.test(key);

const lettersOf = (name: string): string => [...name.toLowerCase().replace(/[^a-z]/g, '')].sort().join('');

function unknownSetting(key: string, where: string): SettingError {
  const near = Object.keys(settings).find((name) => lettersOf(name) === lettersOf(key));
  const mend = near === undefined ? 'infra/README.md lists them' : `did you mean ${near}?`;
  return new SettingError(`there is no setting ${key} (${where}): ${mend}`);
}

function checkNames(given: Readonly<Record<string, unknown>>, where: string): void {
  for (const key of Object.keys(given)) {
    if (isOurs(key) && !Object.hasOwn(settings, key)) throw unknownSetting(key, where);
  }
}

/** The stages that have a file. */
export const stageNames = (): string[] =>
  readdirSync(new URL('../stages/', import.meta.url))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();

async function stageFile(stage: string): Promise<StageSettings> {
  if (!stageNames().includes(stage)) {
    throw new SettingError(
      `there is no stage ${stage} (${stageNames().join(', ')}): infra/stages/${stage}.ts would be its file`,
    );
  }
  const file = (await import(`../stages/${stage}.ts`)) as { settings?: StageSettings };
  if (file.settings === undefined) throw new SettingError(`infra/stages/${stage}.ts exports no settings`);
  return file.settings;
}

/** Left out of the next command line, a table would be replaced by a new one that is empty. */
function checkGiven(context: Readonly<Record<string, unknown>>, { stage, production }: DeploymentSettings): void {
  const name = Object.keys(givenSettings).find((one) => context[one] !== undefined);
  if (production === 'true' && name !== undefined) {
    throw new SettingError(
      `setting ${name} belongs into infra/stages/${stage}.ts: the next deployment without it would begin with nothing`,
    );
  }
}

/**
 * The settings of the stage that the context names (`-c stage=prod`; `dev` where it names none): of its file in
 * `infra/stages`, and of the context over them.
 * @param context all that CDK was given in cdk.json and on its command line
 * @throws a SettingError of one line that names the stage or the setting that is unknown, not acceptable or not filled in
 */
export async function readStage(context: Readonly<Record<string, unknown>>): Promise<DeploymentSettings> {
  checkNames(context, 'context');
  const stage = String(context.stage ?? settings.stage.default);
  const file = await stageFile(stage);
  checkNames(file, `infra/stages/${stage}.ts`);
  const values = readDeploymentSettings((name) => context[name] ?? (name === 'stage' ? stage : file[name]));
  checkSettings(values);
  checkGiven(context, values);
  return values;
}
