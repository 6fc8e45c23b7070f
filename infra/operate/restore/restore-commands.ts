import { App, Stack } from 'aws-cdk-lib';
import { type BucketName, buckets } from '../../../shared/contract/buckets.ts';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { tables } from '../../../shared/contract/tables.ts';
import { Documents } from '../../constructs/documents.ts';
import { Tables } from '../../constructs/tables.ts';
import { readStage } from '../../settings/read-stage.ts';
import { type DeploymentSettings, SettingError, settingValue } from '../../settings/settings.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';
import { bucketCommands } from './bucket-commands.ts';
import { shellQuote } from './shell-quote.ts';
import { type TableShape, tableCommands, tableFunctions } from './table-commands.ts';

const known = [...Object.keys(tables), ...Object.keys(buckets)];

/** Returns a shell expression that reads the name of the current resource from the stack's outputs. */
const inUse = (stack: string, output: string): string => {
  const query = shellQuote(`Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`);
  return `"$(aws cloudformation describe-stacks --stack-name ${stack} --query ${query} --output text)"`;
};

const ready = (stage: string, store: string, restored: string): string => {
  const change = `add ${store}=${restored} to the setting restored in infra/stages/${stage}.ts, commit the file`;
  return `echo ${shellQuote(`ready: ${restored}. Now ${change}, and run npm run deploy -- --stage ${stage}`)}`;
};

/**
 * Returns the properties of all tables and buckets, keyed by their names in `contract/tables.ts` and
 * `contract/buckets.ts`, as if the stage used no restored resources.
 */
function synthesizeShapes(settings: DeploymentSettings): Record<string, Readonly<Record<string, unknown>>> {
  const app = new App({ analyticsReporting: false });
  const stack = new Stack(app, 'own');
  const tables = new Tables(stack, 'tables', {
    warmWritesPerSecond: settingValue(settings, 'warmWritesPerSecond'),
    isProtected: settingValue(settings, 'production'),
    nameOf: () => '',
  });
  const documents = new Documents(stack, 'buckets', {
    deliveryDays: settingValue(settings, 'deliveryDays'),
    versionDays: settingValue(settings, 'documentVersionDays') || undefined,
    importDays: settingValue(settings, 'importDays'),
    tieringDays: settingValue(settings, 'documentTieringDays'),
    lock: { days: settingValue(settings, 'journalLockDays'), mode: settingValue(settings, 'journalLockMode') },
    nameOf: () => '',
  });
  const idOf = (address: string): string => stack.resolve(address).Ref;
  const ids = [
    ...Object.entries(tables.byName).map(([name, { tableName }]) => [name, idOf(tableName)] as const),
    ...Object.entries(documents.byName).map(([name, { bucketName }]) => [name, idOf(bucketName)] as const),
  ];
  const { Resources } = app.synth().getStackByName('own').template as RawTemplate;
  return Object.fromEntries(ids.map(([name, id]) => [name, Resources[id]?.Properties ?? {}]));
}

/**
 * Returns an idempotent `sh` script for the AWS CLI that configures restored tables and buckets and changes nothing
 * else.
 * @param given a pair for each table or bucket, with the name of the restored resource: `persons=NAME`
 * @throws SettingError with the valid names
 */
export async function restoreCommands(stage: string, given: readonly string[]): Promise<string> {
  const shapes = synthesizeShapes(await readStage({ stage }));
  const lines = given.flatMap((text) => {
    const [what = '', restored = ''] = text.split('=');
    if (!known.includes(what) || !/^[\w.-]+$/.test(restored)) {
      throw new SettingError(`${text}: needs one of ${known.join(', ')}, then = and the name of the restored resource`);
    }
    if (Object.hasOwn(buckets, what)) {
      const commands = bucketCommands(restored, shapes[what as BucketName] ?? {});
      return [...commands, ready(stage, what, restored)];
    }
    const old = inUse(namesOf(stage).stack, `${what}Table`);
    return [...tableCommands(restored, shapes[what] as TableShape, old), ready(stage, what, restored)];
  });
  return ['set -eu', ...tableFunctions, ...lines].join('\n');
}
