import type { BucketName } from './buckets.ts';
import { constantCase } from './constant-case.ts';
import type { QueueName } from './queue-names.ts';
import type { SecretName } from './secret-names.ts';
import type { SettingName } from './settings.ts';
import type { IndexName, TableName } from './tables.ts';

/**
 * A permission, named `<store>:<permission>`. It determines the store methods of a handler (by type), the IAM statement
 * of its function, and the environment variable with the address of the resource.
 */
export type Capability =
  | TableCapability
  | { readonly queue: QueueName; readonly actions: readonly string[] }
  | BucketCapability
  | ServiceCapability
  | { readonly secret: SecretName; readonly actions: readonly string[] };

/** The reason for the wildcards in grants on buckets. */
export const anyObject = 'object names are known only at run time; the prefix restricts them';

type TableCapability = {
  readonly [T in TableName]: {
    readonly table: T;
    /** Actions on the table, excluding actions on its indexes. */
    readonly actions: readonly string[];
    readonly queries?: readonly IndexName<T>[];
  };
}[TableName];

interface BucketCapability {
  readonly bucket: BucketName;
  /** The prefix of the objects that the capability covers. */
  readonly prefix: string;
  readonly actions: readonly string[];
  readonly wildcard: string;
}

type Values = Readonly<Record<SettingName, string>>;

/** An AWS service in which the stack creates no resource, such as SES. */
interface ServiceCapability {
  readonly variable: string;
  /** Returns the value of the environment variable, which is the sender address. */
  readonly address: (values: Values) => string;
  readonly actions: readonly string[];
  /** The resources by service, kind and name, as in ARNs. Empty if IAM has no resource type for the actions. */
  readonly resources: (values: Values) => readonly (readonly [service: string, kind: string, name: string])[];
  /** The conditions on requests, by condition key. */
  readonly conditions: (values: Values) => Readonly<Record<string, string>>;
  /** The reason why the grant covers more than one resource. */
  readonly wildcard: string;
}

/** Returns all actions that a capability grants. */
export const actionsOf = (capability: Capability): readonly string[] =>
  'queries' in capability ? [...new Set([...capability.actions, 'dynamodb:Query'])] : capability.actions;

/** Returns the environment variable with the address of a capability's table, queue, bucket, secret or service. */
export function variableOf(capability: Capability): string {
  if ('table' in capability) return `${constantCase(capability.table)}_TABLE`;
  if ('queue' in capability) return `${constantCase(capability.queue)}_QUEUE_URL`;
  if ('secret' in capability) return `${constantCase(capability.secret)}_SECRET_ARN`;
  if ('bucket' in capability) return `${constantCase(capability.bucket)}_BUCKET`;
  return capability.variable;
}
