import { startDynamodb } from '../../infra/local/aws/emulators/dynamodb.ts';
import { queues as contract, type QueueName } from '../../shared/contract/queue-names.ts';
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
import { functionVariables } from '../harness/variables.ts';
import { writeRequests } from '../harness/write-requests.ts';
import { startHelper } from './process.ts';
import { progressBar } from './terminal.ts';

const queueNames = ['fanOut', 'http', 'mass', 'email'] as const;
const tableNames: readonly TableName[] = ['topics', 'subscriptions', 'deliveries', 'journal'];

/** Sets the functions' environment variables for the default settings. */
function setEnvironment(dynamodb: string, sqs: string): void {
  const urls = Object.keys(contract).map((name) => [name, `${sqs}/000000000000/${name}`]);
  const tables = Object.fromEntries(tableNames.map((name) => [name, name]));
  const queues: Record<QueueName, string> = Object.fromEntries(urls);
  Object.assign(process.env, functionVariables({}, { tables, queues }), {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: sqs,
    AWS_ENDPOINT_URL_S3: sqs,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
}

/** Writes active subscriptions for a topic directly into the table. */
async function loadSubscribers(topic: StoredTopic, count: number): Promise<void> {
  const bar = progressBar('loading subscribers', count);
  function* rows() {
    for (let made = 1; made <= count; made++) {
      yield { PutRequest: { Item: rowOf(aSubscription(topic, { activeSince: Date.now() })) } };
      bar.at(made);
    }
  }
  await writeRequests(dynamo(), 'subscriptions', rows());
  bar.end();
}

/** Starts a database and a queue server for the fan-out function, and counts the function's AWS calls. */
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
      await writeRequests(dynamo(), 'topics', [{ PutRequest: { Item: toItem(topic) } }]);
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
