import { type DeploymentSettings, readDeploymentSettings, type settings } from '../../infra/settings/settings.ts';
import type { BucketName } from '../../shared/contract/buckets.ts';
import { type Capability, capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import type { SecretName } from '../../shared/contract/secret-names.ts';
import { settings as functionSettings, type SettingName, settingVariable } from '../../shared/contract/settings.ts';
import type { TableName } from '../../shared/contract/tables.ts';

export type GivenSettings = Readonly<Partial<Record<keyof typeof settings, string>>>;

// A stack whose setting `baseUrl` is empty uses the address of its API.
const baseUrl = 'https://registry.example';

// Settings are cached because reading all of them takes longer than most function tests.
const known = new WeakMap<GivenSettings, DeploymentSettings>();

/** Returns all settings of the stack: the given values, and the defaults of all other settings. */
export function settingsOf(given: GivenSettings): DeploymentSettings {
  const read = known.get(given) ?? readDeploymentSettings((name) => ({ baseUrl, ...given })[name]);
  known.set(given, read);
  return read;
}

interface Addresses {
  readonly tables: Readonly<Partial<Record<TableName, string>>>;
  readonly queues: Readonly<Record<QueueName, string>>;
}

function placeOf(capability: Capability, { tables, queues }: Addresses): string | undefined {
  if ('table' in capability) return tables[capability.table];
  if ('queue' in capability) return queues[capability.queue];
  if ('bucket' in capability) return capability.bucket;
  return 'secret' in capability ? secretArn(capability.secret) : undefined;
}

/** In tests, the bucket has the same name as in the contract. */
export const bucketOfTests: BucketName = 'documents';

export const secretArn = (name: SecretName): string => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;

/** The environment variables of functions: settings, tables, queues and secrets. */
export function functionVariables(given: GivenSettings, addresses: Addresses): Record<string, string> {
  const all = settingsOf(given);
  const values = (Object.keys(functionSettings) as SettingName[]).map((name) => [settingVariable(name), all[name]]);
  const places = Object.values<Capability>(capabilities).map((capability) => [
    variableOf(capability),
    placeOf(capability, addresses),
  ]);
  return Object.fromEntries([...places.filter(([, place]) => place !== undefined), ...values]);
}
