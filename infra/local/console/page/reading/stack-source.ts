import { type QueueName, queues } from '../../../../../shared/contract/queue-names.ts';
import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { LocalOutputs } from '../../../aws/template/outputs.ts';
import type { Activity } from '../activity.ts';
import type { ConsoleState, QueueDepth } from '../state.ts';
import { readEvents } from './events.ts';
import { readSubscriptions } from './subscriptions.ts';

const counted = {
  waiting: 'ApproximateNumberOfMessages',
  inFlight: 'ApproximateNumberOfMessagesNotVisible',
  delayed: 'ApproximateNumberOfMessagesDelayed',
};

async function depthOf(sqs: AwsClient, QueueUrl: string | undefined) {
  const { Attributes = {} } = await sqs<{ Attributes?: Record<string, string> }>('AmazonSQS.GetQueueAttributes', {
    QueueUrl,
    AttributeNames: Object.values(counted),
  });
  const read = (name: keyof typeof counted): number => Number(Attributes[counted[name]] ?? 0);
  return { waiting: read('waiting'), inFlight: read('inFlight'), delayed: read('delayed') };
}

const readQueues = (sqs: AwsClient, urls: Readonly<Record<string, string>>): Promise<QueueDepth[]> =>
  Promise.all(
    (Object.keys(queues) as QueueName[]).map(async (name): Promise<QueueDepth> => {
      const [main, dead] = await Promise.all([depthOf(sqs, urls[name]), depthOf(sqs, urls[`${name}DeadLetters`])]);
      return { name, carries: queues[name], ...main, dead: dead.waiting + dead.inFlight };
    }),
  );

export interface Sources {
  readonly dynamodb: AwsClient;
  readonly sqs: AwsClient;
  readonly outputs: () => LocalOutputs;
  readonly activity: Activity;
}

export function tableOf({ resources }: LocalOutputs, name: string): string {
  const found = resources.tables[name];
  if (found === undefined) throw new Error(`the stack has no table ${name}`);
  return found;
}

// The maximum age of the displayed data, because stored data may change without an event.
const maxAgeMs = 15_000;

/**
 * Returns a function that reads the console's state with two requests per queue. After events, the function also reads tables, with at most
 * 54 requests for up to 70 rows each.
 */
export function createReadState({ dynamodb, sqs, outputs, activity }: Sources): () => Promise<ConsoleState> {
  let stored: Promise<Pick<ConsoleState, 'events' | 'subscriptions'>> | undefined;
  let lastRead = { revision: -1, at: 0 };

  async function readTables(): Promise<Pick<ConsoleState, 'events' | 'subscriptions'>> {
    const now = outputs();
    const tables = { topics: tableOf(now, 'topics'), deliveries: tableOf(now, 'deliveries') };
    const [events, subscriptions] = await Promise.all([
      readEvents(dynamodb, tables, activity),
      readSubscriptions(dynamodb, tableOf(now, 'subscriptions'), activity.latest().subscriptions),
    ]);
    return { events, subscriptions };
  }

  return async () => {
    const revision = activity.revision();
    const isStale = revision !== lastRead.revision || performance.now() - lastRead.at > maxAgeMs;
    if (stored === undefined || isStale) {
      stored = readTables();
      lastRead = { revision, at: performance.now() };
      // The next call retries.
      stored.catch(() => {
        stored = undefined;
      });
    }
    const [tables, queues] = await Promise.all([stored, readQueues(sqs, outputs().resources.queues)]);
    return { figures: activity.figures(), ...tables, attempts: activity.attempts(), queues };
  };
}
