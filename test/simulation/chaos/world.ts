import { StandardRetryStrategy } from '@smithy/core/retry';
import { type QueueName, queues as queueNames } from '../../../shared/contract/queues.ts';
import { type TableName, tables } from '../../../shared/contract/tables.ts';
import { s3 } from '../../../shared/storage/documents/objects.ts';
import { dynamo } from '../../../shared/storage/dynamo.ts';
import { messages } from '../../../shared/storage/messages/store.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { namingSecret } from '../../../shared/storage/secrets/store.ts';
import { secretOfTests } from '../../harness/builders.ts';
import type { Interference } from '../../harness/interference.ts';
import { functionVariables, type GivenSettings } from '../../harness/variables.ts';
import { attach } from '../aws/attach.ts';
import { copyAtWork } from '../lambda/platform.ts';
import { urlOf } from '../sqs/sqs.ts';

// Loaded when it is first needed it would come from a file, for which no virtual clock waits.
await (messages.client() as () => Promise<unknown>)();

/**
 * A deployment whose waits are short enough to be looked at: small tasks, and failing receivers are paused after a day. Whoever is
 * an admin in it does as everybody may where subscriptions are shared.
 */
export const settings = {
  subscriptionsPerTask: '3',
  pauseAfterDays: '1',
  subscriptionOwnership: 'caller',
  // A file of some lines is several chunks.
  importWritesPerSecond: '6',
  changesTopic: 'topic 0',
} as const satisfies GivenSettings;

/** The tables of the contract. */
export const tableNames = Object.keys(tables) as TableName[];

/** A service at the SDK's `send`. */
interface Service {
  send(command: object): Promise<unknown>;
}

const secretsManager: Service = {
  send: async () => ({ SecretString: secretOfTests, CreatedDate: new Date(0) }),
};

interface Configured {
  readonly config: { retryStrategy: () => Promise<unknown>; readonly maxAttempts: () => Promise<number> };
}

/** Each copy of a function has a quota of its own for trying again, though all of them share this process's one client. */
async function quotaOfEachCopy(client: object): Promise<void> {
  const { config } = client as Configured;
  const [shared, maxAttempts] = [await config.retryStrategy(), await config.maxAttempts()];
  if ((shared as object).constructor !== StandardRetryStrategy) return;
  const ofCopies = new WeakMap<object, StandardRetryStrategy>();
  config.retryStrategy = async () => {
    const copy = copyAtWork() ?? {};
    const own = ofCopies.get(copy) ?? new StandardRetryStrategy(maxAttempts);
    ofCopies.set(copy, own);
    return own;
  };
}

/** Prepares this process for functions: their variables, and what their clients keep for themselves. */
export async function prepareProcess(): Promise<void> {
  const places = Object.fromEntries(tableNames.map((name) => [name, name]));
  const queues = Object.fromEntries(Object.keys(queueNames).map((name) => [name, urlOf(name)]));
  Object.assign(
    process.env,
    functionVariables(settings, { tables: places, queues: queues as Record<QueueName, string> }),
    {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'simulation',
      AWS_SECRET_ACCESS_KEY: 'simulation',
      // Without them the SDK looks in files, for which no virtual clock waits.
      AWS_RETRY_MODE: 'standard',
      AWS_MAX_ATTEMPTS: '3',
    },
  );
  // What is found out once would make the first play another than the next.
  Object.assign(s3().config, { endpoint: async () => ({ protocol: 'https:', hostname: 's3.example', path: '/' }) });
  for (const client of [dynamo(), queueStore.client(), s3()]) await quotaOfEachCopy(client as object);
}

/** Lets the functions of this process ask these services, and what stands between. */
export function connect(dynamodb: Service, sqs: Service, bucket: Service, between: Pick<Interference, 'wire'>): void {
  attach(dynamo(), dynamodb, () => between);
  attach(queueStore.client() as object, sqs, () => between);
  attach(s3(), bucket, () => between);
  attach(namingSecret.client() as object, secretsManager);
}
