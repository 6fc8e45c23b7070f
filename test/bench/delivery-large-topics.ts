import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { startDynamodb } from '../../infra/local/aws/emulators/dynamodb.ts';
import { capabilities } from '../../shared/contract/capabilities.ts';
import { variableOf } from '../../shared/contract/capability.ts';
import { settings, settingVariable } from '../../shared/contract/settings.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { fanOut } from '../../shared/contract/workers.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { lazyTools } from '../../shared/lambda/open-tools.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { dynamo, toItem } from '../../shared/storage/dynamo.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues as queueStore } from '../../shared/storage/queues/store.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { aSubscription, aTopic } from '../harness/builders.ts';
import { creationOf } from '../harness/create-table.ts';
import { startHelper } from './process.ts';
import { progressBar } from './terminal.ts';

const queueNames = ['fanOut', 'http', 'mass', 'email'] as const;
const tableNames: readonly TableName[] = ['topics', 'subscriptions', 'deliveries', 'journal'];
const lanes = 4;

/** Sets the environment variables of the functions to the default settings. */
function setEnvironment(dynamodb: string, sqs: string): void {
  for (const use of fanOut.uses) {
    const capability = capabilities[use];
    process.env[variableOf(capability)] =
      'queue' in capability
        ? `${sqs}/000000000000/${capability.queue}`
        : 'bucket' in capability
          ? capability.bucket
          : capability.table;
  }
  for (const name of fanOut.reads) {
    process.env[settingVariable(name)] = settings[name].default;
  }
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: sqs,
    AWS_ENDPOINT_URL_S3: sqs,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
}

/** Writes active subscriptions to a topic directly into the table. */
async function loadSubscribers(topic: StoredTopic, count: number): Promise<void> {
  const bar = progressBar('loading subscribers', count);
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      const some = Math.min(25, count - begun);
      begun += some;
      const rows = Array.from({ length: some }, () => rowOf(aSubscription(topic, { activeSince: Date.now() })));
      const puts = rows.map((Item) => ({ PutRequest: { Item } }));
      await dynamo().send(new BatchWriteItemCommand({ RequestItems: { subscriptions: puts } }));
      bar.at(begun);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  bar.end();
}

/** Starts a database and a queue server. Returns the tools of the fan-out function, and counts its AWS calls. */
export async function openLargeTopics() {
  const dynamodb = await startDynamodb(undefined);
  const queues = startHelper<readonly string[], string>(new URL('./delivery-queues.ts', import.meta.url));
  setEnvironment(dynamodb.endpoint, await queues.ask(queueNames));
  for (const name of tableNames) await dynamo().send(creationOf(name, name));
  const calls = { count: 0 };
  for (const client of [dynamo(), queueStore.client()] as ReturnType<typeof dynamo>[]) {
    client.middlewareStack.add(
      (next) => (request) => {
        calls.count += 1;
        return next(request);
      },
      { step: 'deserialize', name: 'countCalls' },
    );
  }
  return {
    tools: lazyTools(fanOut, [subscriptions, deliveries, messages, journal, queueStore])(),
    calls,
    emptyQueues: () => queues.ask(queueNames),
    /** Creates a topic with a given number of subscriptions. */
    async newTopic(subscribers: number): Promise<StoredTopic> {
      const topic = aTopic();
      await dynamo().send(
        new BatchWriteItemCommand({ RequestItems: { topics: [{ PutRequest: { Item: toItem(topic) } }] } }),
      );
      await loadSubscribers(topic, subscribers);
      return topic;
    },
    async stop() {
      dynamo().destroy();
      await queues.stop();
      await dynamodb.stop();
    },
  };
}

export type LargeTopics = Awaited<ReturnType<typeof openLargeTopics>>;
