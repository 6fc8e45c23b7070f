import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { fanOutWhole } from '../../shared/delivery/engine/fan-out.ts';
import { fanOutSegment } from '../../shared/delivery/engine/fan-out-segment.ts';
import { uuidRange, wholeTopic } from '../../shared/domain/deliveries/plan-tasks.ts';
import { fanOutPayload } from '../../shared/model/deliveries/fan-out-payload.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { aNotification } from '../support/builders.ts';
import { type LargeTopics, openLargeTopics } from './delivery-large-topics.ts';
import { printPublishLatency } from './delivery-publish.ts';
import { median, ratio, whole } from './figures.ts';
import { printTable, progressBar } from './terminal.ts';

/** The ways to fan a publication out. */
type Way = (world: LargeTopics, topic: StoredTopic, eventSource: SQSClient) => Promise<void>;

/** As the function does it: the publication, then the segments that it left in its own queue, a batch at a time. */
const ours: Way = async ({ tools }, topic, eventSource) => {
  const { type: _, bodyBase64 = '', ...rest } = aNotification(topic);
  const notification = { ...rest, bodyBase64 };
  await fanOutWhole({ publicationId: crypto.randomUUID(), notification }, tools);
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

/** The obvious way: a message for each subscriber. */
const oneEach: Way = async ({ tools }, topic) => {
  const content = aNotification(topic);
  for await (const page of tools.subscriptions.active(content, uuidRange(wholeTopic(0)))) {
    const payloads = page.map(({ uuid, protocol }) => ({
      group: topic.uuid,
      payload: {
        taskKey: `one#${uuid}`,
        protocol,
        isSingle: true,
        attempt: 0,
        bits: 0,
        subscriptionUuids: [uuid],
        content,
      },
    }));
    await tools.queues.http.sendMany(payloads);
  }
};

interface Run {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly calls: number;
  readonly messages: number;
}

async function timed(way: Way, world: LargeTopics, topic: StoredTopic, eventSource: SQSClient): Promise<Run> {
  await world.emptyQueues();
  world.calls.count = 0;
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  await way(world, topic, eventSource);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const messages = (await waitingIn('HTTP', eventSource)) + (await waitingIn('MASS', eventSource));
  return { seconds, cpuMs: (user + system) / 1000, calls: world.calls.count, messages };
}

async function waitingIn(queue: 'HTTP' | 'MASS', eventSource: SQSClient): Promise<number> {
  const QueueUrl = process.env[`${queue}_QUEUE_URL`];
  const { Attributes } = await eventSource.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

/** One line: a topic of this size, fanned out both ways in turn. */
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
  const perSecond = (of: readonly Run[]) => subscribers / median(of.map(({ seconds }) => seconds));
  const cpu = (of: readonly Run[]) => (median(of.map(({ cpuMs }) => cpuMs)) * 1000) / subscribers;
  const [{ calls, messages }] = runs as [Run];
  const tasksPerSecond = (perSecond(runs) * messages) / subscribers;
  const figures = [
    subscribers,
    messages,
    tasksPerSecond,
    perSecond(runs),
    calls,
    (calls * 1000) / subscribers,
    cpu(runs),
  ];
  return {
    topic,
    cells: [...figures, perSecond(others), cpu(others)].map(whole).concat(ratio(perSecond(runs) / perSecond(others))),
  };
}

/** Fan-out by the size of the topic, and what its size means to whoever publishes. */
export async function fanOutSpeed(rounds: number, most: number): Promise<void> {
  // The functions' log lines are no part of the tables.
  console.info = () => {};
  const world = await openLargeTopics();
  const eventSource = new SQSClient({});
  try {
    const sizes = [1, 1000, 10_000, most].filter((size, index, all) => size <= most && all.indexOf(size) === index);
    const rows: string[][] = [];
    let largest: StoredTopic | undefined;
    await measure(world, 1000, 2, eventSource);
    for (const size of sizes) {
      const { topic, cells } = await measure(world, size, size > 10_000 ? Math.ceil(rounds / 3) : rounds, eventSource);
      rows.push(cells);
      largest = topic;
    }
    console.log(
      `\nfan-out of one publication, medians of ${rounds} rounds (a third for the largest), against one message per subscriber\n`,
    );
    const head = ['subscribers', 'tasks', 'tasks/s', 'subscribers/s', 'AWS calls', 'per 1,000', 'CPU µs each'];
    printTable([...head, 'one each: /s', 'CPU µs each', 'ratio'], rows);
    if (largest === undefined) return;
    await world.emptyQueues();
    await printPublishLatency(world, largest, most);
  } finally {
    eventSource.destroy();
    await world.stop();
  }
}
