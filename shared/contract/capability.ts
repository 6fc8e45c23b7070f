import type { BucketName } from './buckets.ts';
import { constantCase } from './constant-case.ts';
import type { QueueName } from './queues.ts';
import type { SecretName } from './secrets.ts';
import type { SettingName } from './settings.ts';
import type { IndexName, TableName } from './tables.ts';

/**
 * A capability is one word that means three things: the store methods that a handler gets (by type), the IAM statement
 * of its function, and the environment variable that tells it where. The word is `<store>:<permission>`.
 */
export type Capability =
  | TableCapability
  | { readonly queue: QueueName; readonly actions: readonly string[] }
  | BucketCapability
  | ServiceCapability
  | { readonly secret: SecretName; readonly actions: readonly string[] };

/** Why a grant in a bucket ends in a wildcard. */
export const anyObject = 'which objects there are is known only while it runs: it may use those below its prefix';

type TableCapability = {
  readonly [T in TableName]: {
    readonly table: T;
    /** On the table itself. */
    readonly actions: readonly string[];
    /** The indexes that may be queried. */
    readonly queries?: readonly IndexName<T>[];
  };
}[TableName];

interface BucketCapability {
  readonly bucket: BucketName;
  /** What the names of all its objects begin with. */
  readonly prefix: string;
  readonly actions: readonly string[];
  readonly wildcard: string;
}

type Values = Readonly<Record<SettingName, string>>;

/** To use a service of AWS that the stack makes nothing in: SES, say. */
interface ServiceCapability {
  readonly variable: string;
  /** What stands in the variable: in whose name the service is used. */
  readonly address: (values: Values) => string;
  readonly actions: readonly string[];
  /** What may be used, by service, kind and name, as ARNs say it. None: the actions have no resource, only the region. */
  readonly resources: (values: Values) => readonly (readonly [service: string, kind: string, name: string])[];
  /** What a request must say, by condition key. */
  readonly conditions: (values: Values) => Readonly<Record<string, string>>;
  /** Why more is granted than is named. */
  readonly wildcard: string;
}

/** Every action that a capability grants, on whatever. */
export const actionsOf = (capability: Capability): readonly string[] =>
  'queries' in capability ? [...new Set([...capability.actions, 'dynamodb:Query'])] : capability.actions;

/** The environment variable by which a function learns where a capability's table, queue, bucket, secret or service is. */
export function variableOf(capability: Capability): string {
  if ('table' in capability) return `${constantCase(capability.table)}_TABLE`;
  if ('queue' in capability) return `${constantCase(capability.queue)}_QUEUE_URL`;
  if ('secret' in capability) return `${constantCase(capability.secret)}_SECRET_ARN`;
  if ('bucket' in capability) return `${constantCase(capability.bucket)}_BUCKET`;
  return capability.variable;
}
