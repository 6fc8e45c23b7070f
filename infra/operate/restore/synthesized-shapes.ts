import { App, Stack } from 'aws-cdk-lib';
import { Documents } from '../../constructs/documents.ts';
import { Tables } from '../../constructs/tables.ts';
import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

/**
 * The properties of all tables and buckets, by their names in `contract/tables.ts` and `contract/buckets.ts`, as if the
 * stage had restored none.
 */
export function synthesizeShapes(settings: DeploymentSettings): Record<string, Readonly<Record<string, unknown>>> {
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
