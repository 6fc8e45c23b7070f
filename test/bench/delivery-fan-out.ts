import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { fanOutMessage, fanOutSegment } from '../../shared/delivery/fan-out/fan-out-message.ts';
import { fanOutPayload } from '../../shared/domain/deliveries/message.ts';
import { uuidRange, wholeTopic } from '../../shared/domain/deliveries/shards.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { aNotification } from '../harness/builders.ts';
import { type LargeTopics, openLargeTopics } from './delivery-large-topics.ts';
import { whole } from './figures.ts';
import type { Comparison } from './report.ts';
import { progressBar } from './terminal.ts';

/** An implementation of the fan-out. */
type Way = (world: LargeTopics, topic: StoredTopic, eventSource: SQSClient) => Promise<void>;

/** Our fan-out, including the segments that the function sends to its own queue. */
const ours: Way = async ({ tools }, topic, eventSource) => {
  const { type: _, bodyBase64 = '', ...rest } = aNotification(topic, { timestamp: new Date().toISOString() });
  const notification = { ...rest, bodyBase64 };
  const onError = (fault: Error) => {
    throw fault;
  };
  await fanOutMessage({ publicationId: crypto.randomUUID(), notification }, { ...tools, onError });
  const QueueUrl = process.env.FAN_OUT_QUEUE_URL;
  for (;;) {
    const { Messages = [] } = await eventSource.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return;
    const payloads = Messages.map(({ Body = '' }) => fanOutPayload.parse(JSON.parse(Body)));
    await Promise.all(payloads.map((payload) => fanOutSegment(payload, payload.segment ?? wholeTopic(0), tools)));
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await eventSource.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
};

/** The simple fan-out sends one message per subscriber. */
const oneEach: Way = async ({ tools }, topic) => {
  const content = aNotification(topic);
  for await (const page of tools.subscriptions.listActive(content, uuidRange(wholeTopic(0)))) {
    const payloads = page.map(({ uuid, protocol }) => ({
      group: topic.uuid,
      payload: {
        taskKey: `one#${uuid}`,
        protocol,
        isSingle: true,
        attempt: 0,
        shardBits: 0,
        subscriptionUuids: [uuid],
        content,
      },
    }));
    await tools.queues.http.sendMany(payloads);
  }
};

interface Run {
  readonly seconds: number;
  readonly calls: number;
}

async function timed(way: Way, world: LargeTopics, topic: StoredTopic, eventSource: SQSClient): Promise<Run> {
  await world.emptyQueues();
  world.calls.count = 0;
  const begun = performance.now();
  await way(world, topic, eventSource);
  const seconds = (performance.now() - begun) / 1000;
  const { count: calls } = world.calls;
  const messages = (await waitingIn('HTTP', eventSource)) + (await waitingIn('MASS', eventSource));
  if (messages === 0) throw new Error('fan-out reached no subscriber');
  return { seconds, calls };
}

async function waitingIn(queue: 'HTTP' | 'MASS', eventSource: SQSClient): Promise<number> {
  const QueueUrl = process.env[`${queue}_QUEUE_URL`];
  const { Attributes } = await eventSource.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

/** Measures our fan-out and the simple fan-out alternately, for a topic of the given size. */
async function measure(world: LargeTopics, subscribers: number, rounds: number, eventSource: SQSClient) {
  const topic = await world.newTopic(subscribers);
  const bar = progressBar(`fanning out to ${whole(subscribers)}`, rounds);
  const runs: Run[] = [];
  const others: Run[] = [];
  for (let round = 1; round <= rounds; round++) {
    runs.push(await timed(ours, world, topic, eventSource));
    others.push(await timed(oneEach, world, topic, eventSource));
    bar.at(round);
  }
  bar.end();
  return { runs, others };
}

/** Measures the fan-out to a topic with the given number of subscribers. */
export async function fanOutSpeed(rounds: number, subscribers: number): Promise<Comparison[]> {
  // The functions' log lines must not appear in the output.
  console.info = () => {};
  const world = await openLargeTopics();
  const eventSource = new SQSClient({});
  try {
    // Warms up both implementations.
    await measure(world, 1000, 2, eventSource);
    const { runs, others } = await measure(world, subscribers, rounds, eventSource);
    const perSecond = (of: readonly Run[]) => of.map(({ seconds }) => subscribers / seconds);
    return [
      {
        what: `fan-out to ${whole(subscribers)}: batch deliveries / one message per subscriber`,
        unit: 'subscribers/s',
        ours: perSecond(runs),
        baseline: perSecond(others),
        // The target is only 4, because the baseline also sends ten messages per request.
        target: { atLeast: 4 },
      },
      {
        what: 'the same',
        unit: 'AWS calls per 1,000',
        ours: runs.map(({ calls }) => (calls * 1000) / subscribers),
      },
    ];
  } finally {
    eventSource.destroy();
    await world.stop();
  }
}
