import { StandardRetryStrategy } from '@smithy/core/retry';
import { type QueueName, queues as queueNames } from '../../../shared/contract/queue-names.ts';
import { type TableName, tables } from '../../../shared/contract/tables.ts';
import { s3 } from '../../../shared/storage/documents/objects.ts';
import { dynamo } from '../../../shared/storage/dynamo.ts';
import { messages } from '../../../shared/storage/messages/store.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { namingSecret } from '../../../shared/storage/secrets/store.ts';
import { secretOfTests } from '../../harness/builders.ts';
import type { Interference } from '../../harness/interference.ts';
import { functionVariables, type GivenSettings } from '../../harness/variables.ts';
import { attach, type Service } from '../aws/attach.ts';
import { currentInstance } from '../lambda/platform.ts';
import { urlOf } from '../sqs/sqs.ts';

// The client is opened now, because it loads a file and the virtual clock cannot wait for files.
await (messages.client() as () => Promise<unknown>)();

/** The settings of the simulated deployment. A subscription is paused after its receiver has failed for a day. */
export const settings = {
  pauseAfterDays: '1',
  // Messages expire early, so that clients and operators also redeliver expired messages.
  deliveryDays: '1',
  // The shortest overlap ends while messages are still being delivered.
  signatureOverlapDays: '1',
  subscriptionOwnership: 'caller',
  // Because of the low rate, even an import with few lines has several chunks.
  importWritesPerSecond: '6',
  changesTopic: 'topic 0',
} as const satisfies GivenSettings;

export const tableNames = Object.keys(tables) as TableName[];

const secretsManager: Service = {
  send: async () => ({ SecretString: secretOfTests, CreatedDate: new Date(0) }),
};

interface Configured {
  readonly config: { retryStrategy: () => Promise<unknown>; readonly maxAttempts: () => Promise<number> };
}

/** Gives each instance a separate retry quota, although all instances share one client in this process. */
async function separateRetryQuotas(client: object): Promise<void> {
  const { config } = client as Configured;
  const [shared, maxAttempts] = [await config.retryStrategy(), await config.maxAttempts()];
  if ((shared as object).constructor !== StandardRetryStrategy) return;
  const strategies = new WeakMap<object, StandardRetryStrategy>();
  config.retryStrategy = async () => {
    const instance = currentInstance() ?? {};
    const own = strategies.get(instance) ?? new StandardRetryStrategy(maxAttempts);
    strategies.set(instance, own);
    return own;
  };
}

/** Prepares this process for the functions: sets environment variables and configures the AWS clients. */
export async function prepareProcess(): Promise<void> {
  // Injected faults throw thousands of errors, and no code reads their stack traces.
  Error.stackTraceLimit = 0;
  const places = Object.fromEntries(tableNames.map((name) => [name, name]));
  const queues = Object.fromEntries(Object.keys(queueNames).map((name) => [name, urlOf(name)]));
  Object.assign(
    process.env,
    functionVariables(settings, { tables: places, queues: queues as Record<QueueName, string> }),
    {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'simulation',
      AWS_SECRET_ACCESS_KEY: 'simulation',
      // Without AWS_RETRY_MODE and AWS_MAX_ATTEMPTS, the SDK would read files, but the virtual clock cannot wait for
      // files.
      AWS_RETRY_MODE: 'standard',
      AWS_MAX_ATTEMPTS: '3',
      // The simulated instances share one process, so warm-ups that never run would fill its memory.
      WARM_UP: 'off',
    },
  );
  // The endpoint is set here so that the first seed makes the same calls as all other seeds.
  Object.assign(s3().config, { endpoint: async () => ({ protocol: 'https:', hostname: 's3.example', path: '/' }) });
  for (const client of [dynamo(), queueStore.client(), s3()]) await separateRetryQuotas(client as object);
}

/** Connects the SDK clients of this process to simulated services. */
export function connect(dynamodb: Service, sqs: Service, bucket: Service, between: Pick<Interference, 'wire'>): void {
  attach(dynamo(), dynamodb, () => between);
  attach(queueStore.client() as object, sqs, () => between);
  attach(s3(), bucket, () => between);
  attach(namingSecret.client() as object, secretsManager);
}
