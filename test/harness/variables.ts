import { readDeploymentSettings } from '../../infra/settings.ts';
import { type Capability, capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { SecretName } from '../../shared/contract/secrets.ts';
import { type SettingName, settingVariable } from '../../shared/contract/settings.ts';
import type { TableName } from '../../shared/contract/tables.ts';

export type GivenSettings = Readonly<Partial<Record<SettingName, string>>>;

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
  if ('bucket' in capability) return bucketOfTests;
  return 'secret' in capability ? secretArn(capability.secret) : undefined;
}

/** The bucket of the contract, wherever tests have it. */
export const bucketOfTests = 'documents';

export const secretArn = (name: SecretName): string => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;

/** The variables by which functions learn their settings, and where their tables, queues and secrets are. */
export function functionVariables(given: GivenSettings, addresses: Addresses): Record<string, string> {
  const values = Object.entries(settingsOf(given)).map(([name, value]) => [
    settingVariable(name as SettingName),
    value,
  ]);
  const places = Object.values<Capability>(capabilities).map((capability) => [
    variableOf(capability),
    placeOf(capability, addresses),
  ]);
  return Object.fromEntries([...places.filter(([, place]) => place !== undefined), ...values]);
}
