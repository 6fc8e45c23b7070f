import { readDeploymentSettings, type settings } from '../../infra/settings/settings.ts';
import type { BucketName } from '../../shared/contract/buckets.ts';
import { capabilities } from '../../shared/contract/capabilities.ts';
import { type Capability, variableOf } from '../../shared/contract/capability.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { SecretName } from '../../shared/contract/secrets.ts';
import { settings as functionSettings, type SettingName, settingVariable } from '../../shared/contract/settings.ts';
import type { TableName } from '../../shared/contract/tables.ts';

export type GivenSettings = Readonly<Partial<Record<keyof typeof settings, string>>>;

// The stack puts the address of its API where this setting is empty.
const baseUrl = 'https://registry.example';

/** Every setting as the stack would have it: as given, or by default. */
export const settingsOf = (given: GivenSettings) => readDeploymentSettings((name) => ({ baseUrl, ...given })[name]);

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

/** The bucket that tests have of the contract's; each is called as the contract calls it. */
export const bucketOfTests: BucketName = 'documents';

export const secretArn = (name: SecretName): string => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;

/** The variables by which functions learn their settings, and where their tables, queues and secrets are. */
export function functionVariables(given: GivenSettings, addresses: Addresses): Record<string, string> {
  const all = settingsOf(given);
  const values = (Object.keys(functionSettings) as SettingName[]).map((name) => [settingVariable(name), all[name]]);
  const places = Object.values<Capability>(capabilities).map((capability) => [
    variableOf(capability),
    placeOf(capability, addresses),
  ]);
  return Object.fromEntries([...places.filter(([, place]) => place !== undefined), ...values]);
}
