import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import type { Found } from './delivery.ts';
import { type LargeTopics, openLargeTopics } from './delivery-large-topics.ts';
import { oneEach, ours, type Way } from './delivery-ways.ts';
import { median, whole } from './figures.ts';
import type { Comparison, ReportRow } from './report.ts';
import { progressBar } from './terminal.ts';

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

/** Alternates between our fan-out and the simple fan-out to a topic of this size, and returns a row of the table. */
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
  const perSecond = (of: readonly Run[]) => of.map(({ seconds }) => subscribers / seconds);
  const cpu = (of: readonly Run[]) => whole((median(of.map(({ cpuMs }) => cpuMs)) * 1000) / subscribers);
  const [{ calls, messages }] = runs as [Run];
  if (messages === 0) throw new Error('fan-out reached no subscriber');
  const each = median(perSecond(runs));
  const row: ReportRow = {
    subscribers: whole(subscribers),
    tasks: whole(messages),
    'tasks/s': whole((each * messages) / subscribers),
    'subscribers/s': whole(each),
    'AWS calls': whole(calls),
    'per 1,000': whole((calls * 1000) / subscribers),
    'CPU µs each': cpu(runs),
    'one message each: /s': whole(median(perSecond(others))),
    'one message each: CPU µs': cpu(others),
  };
  return { row, ours: perSecond(runs), baseline: perSecond(others) };
}

/** Measures fan-out for different topic sizes. */
export async function fanOutSpeed(rounds: number, most: number): Promise<Found> {
  // Keeps log lines of the functions out of the output.
  console.info = () => {};
  const world = await openLargeTopics();
  const eventSource = new SQSClient({});
  try {
    const sizes = [1, 1000, 10_000, most].filter((size, index, all) => size <= most && all.indexOf(size) === index);
    await measure(world, 1000, 2, eventSource);
    const found: Awaited<ReturnType<typeof measure>>[] = [];
    for (const size of sizes) {
      found.push(await measure(world, size, size > 10_000 ? Math.ceil(rounds / 3) : rounds, eventSource));
    }
    const largest = found.at(-1);
    if (largest === undefined) return { compared: [], details: [] };
    await world.emptyQueues();
    const fanOut: Comparison = {
      what: `fan-out to ${whole(most)}: batch deliveries / one message per subscriber`,
      unit: 'subscribers/s',
      ours: largest.ours,
      baseline: largest.baseline,
      // The target is low because the baseline already sends ten messages per request.
      target: { atLeast: 4 },
    };
    return {
      compared: [fanOut],
      details: [
        {
          title:
            'fan-out of one publication, compared with one message per subscriber (a third of the rounds above 10,000 subscribers)',
          rows: found.map(({ row }) => row),
        },
      ],
    };
  } finally {
    eventSource.destroy();
    await world.stop();
  }
}
