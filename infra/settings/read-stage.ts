import { readdirSync } from 'node:fs';
import { checkDeployable, checkSettings } from './check-settings.ts';
import {
  type DeploymentSettings,
  readDeploymentSettings,
  SettingError,
  type StageSettings,
  settingGroups,
  settings,
} from './settings.ts';

// Returns false for CDK's feature flags and cached lookups, such as `@aws-cdk/core:…` and `availability-zones:…`.
const isOurs = (key: string): boolean => !/[/:]/.test(key);

const lettersOf = (name: string): string => [...name.toLowerCase().replace(/[^a-z]/g, '')].sort().join('');

export function unknownSetting(key: string, where: string): SettingError {
  const near = Object.keys(settings).find((name) => lettersOf(name) === lettersOf(key));
  const hint =
    near === undefined ? '. To list all settings, run: npm run -s describe -- settings' : `: did you mean ${near}?`;
  return new SettingError(`there is no setting "${key}" (${where})${hint}`);
}

type Given = Readonly<Record<string, unknown>>;

function checkNames(given: Given, where: string): void {
  for (const key of Object.keys(given)) {
    if (isOurs(key) && !Object.hasOwn(settings, key)) throw unknownSetting(key, where);
  }
}

export const stageNames = (): string[] =>
  readdirSync(new URL('../stages/', import.meta.url))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();

async function stageFile(stage: string): Promise<StageSettings> {
  if (!stageNames().includes(stage)) {
    throw new SettingError(
      `there is no stage ${stage}: the stages are ${stageNames().join(', ')}; create infra/stages/${stage}.ts to add it`,
    );
  }
  const file = (await import(`../stages/${stage}.ts`)) as { settings?: StageSettings };
  if (file.settings === undefined) throw new SettingError(`infra/stages/${stage}.ts exports no settings`);
  return file.settings;
}

const retentionSettings = settingGroups.filter(({ topic }) => topic === 'retention').map(({ group }) => group);

/**
 * Settings that a production stage accepts only in its own file, because changing them could delete or replace data.
 */
const fileOnly = ['production', 'account', 'region', 'keyArn', 'restored', ...retentionSettings.flatMap(Object.keys)];

/**
 * Rejects settings in the context that are accepted only in the stage's file. A later deployment without the same
 * context would undo these settings.
 */
function checkFileOnly(context: Given, file: StageSettings, { stage, production }: DeploymentSettings): void {
  if (production !== 'true' && String(file.production) !== 'true') return;
  const name = fileOnly.find((one) => context[one] !== undefined);
  if (name === undefined) return;
  throw new SettingError(
    `setting ${name} of a production stage belongs in infra/stages/${stage}.ts, so that every deployment uses its value`,
  );
}

/**
 * Reads the settings of the stage that the context names (`-c stage=prod`; default `dev`). Settings in the context
 * override those in the stage's file.
 * @param context all context values from cdk.json and from the command line
 * @param isLocal whether the stack runs on this machine; if so, settings that are invalid for a deployment are accepted
 * @throws SettingError with one line that names the stage or setting that is unknown, invalid or still a placeholder
 */
export async function readStage(context: Given, isLocal = false): Promise<DeploymentSettings> {
  checkNames(context, 'context');
  const stage = String(context.stage ?? settings.stage.default);
  const file = await stageFile(stage);
  checkNames(file, `infra/stages/${stage}.ts`);
  const values = readDeploymentSettings((name) => context[name] ?? (name === 'stage' ? stage : file[name]));
  checkSettings(values);
  if (isLocal) return values;
  checkDeployable(values);
  checkFileOnly(context, file, values);
  return values;
}
