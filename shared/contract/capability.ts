import type { BucketName } from './buckets.ts';
import { constantCase } from './name-cases.ts';
import type { QueueName } from './queue-names.ts';
import type { SecretName } from './secret-names.ts';
import type { SettingName } from './settings.ts';
import type { TableName } from './tables.ts';

/**
 * A permission, named `<store>:<permission>`. A capability determines which store methods a handler can call and which
 * IAM actions its function may perform. A capability also determines the environment variable that contains the address
 * of the resource.
 */
export type Capability =
  | TableCapability
  | { readonly queue: QueueName; readonly actions: readonly string[] }
  | BucketCapability
  | ServiceCapability
  | { readonly secret: SecretName; readonly actions: readonly string[] };

interface TableCapability {
  readonly table: TableName;
  /** IAM actions on the table itself, not on its indexes. */
  readonly actions: readonly string[];
  /** The indexes that the function queries. */
  readonly queries?: readonly string[];
}

interface BucketCapability {
  readonly bucket: BucketName;
  /** The prefix of the objects to which the capability grants access. */
  readonly prefix: string;
  readonly actions: readonly string[];
  readonly wildcard: string;
}

type Values = Readonly<Record<SettingName, string>>;

/** A capability to call an AWS service, such as SES, that needs no table, queue, bucket or secret of the stack. */
interface ServiceCapability {
  readonly variable: string;
  /** Returns the sender address, which is the value of the environment variable. */
  readonly address: (values: Values) => string;
  readonly actions: readonly string[];
  /**
   * The service, kind and name from which each resource's ARN is built; undefined if IAM defines no resource type for
   * the actions.
   */
  readonly resources?: (values: Values) => readonly (readonly [service: string, kind: string, name: string])[];
  /** The values of the IAM conditions, by condition key. */
  readonly conditions?: (values: Values) => Readonly<Record<string, string>>;
  /** The reason why the IAM statement covers more than one resource. */
  readonly wildcard: string;
}

/** Returns all actions that a capability grants. */
export const actionsOf = (capability: Capability): readonly string[] =>
  'queries' in capability ? [...new Set([...capability.actions, 'dynamodb:Query'])] : capability.actions;

/** Returns the name of the environment variable that contains the address of a capability's resource. */
export function variableOf(capability: Capability): string {
  if ('table' in capability) return `${constantCase(capability.table)}_TABLE`;
  if ('queue' in capability) return `${constantCase(capability.queue)}_QUEUE_URL`;
  if ('secret' in capability) return `${constantCase(capability.secret)}_SECRET_ARN`;
  if ('bucket' in capability) return `${constantCase(capability.bucket)}_BUCKET`;
  return capability.variable;
}
