import { apiEvent } from '../../harness/lambda-events.ts';
import { accessLogBytes } from './costs.ts';
import { healthy, type Reach, range, reachOf } from './figures.ts';
import { publishFunction } from './functions.ts';
import type { ScaleOptions } from './options.ts';
import { seedSubscribers, seedTopic } from './seeding.ts';
import { uuidsByNumber, waitingWork } from './waiting.ts';
import { openWorld, startAt, type World } from './world.ts';

const minuteMs = 60_000;

interface Publication {
  readonly messageId: string | undefined;
  /** The reason why the event was rejected: the API response, or the outcome of the function run. */
  readonly rejection: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface ScaleResult {
  readonly options: ScaleOptions;
  readonly publications: readonly Publication[];
  /** The delivery results of each accepted event: `http` for healthy subscribers, `failing` for all others. */
  readonly http: readonly Reach[];
  readonly failing: readonly Reach[];
  readonly deadLetters: ReadonlyMap<string, number>;
  readonly waiting: ReadonlyMap<string, number>;
  readonly failed: number;
  readonly world: World;
}

export interface Progress {
  seeded(count: number): void;
  /** Simulated milliseconds. */
  passed(ms: number): void;
}

function bodyOf(bytes: number): string {
  const text = (note: string) => JSON.stringify({ source: 'CR', note });
  return text('x'.repeat(Math.max(0, bytes - text('').length)));
}

async function publishAll(world: World, options: ScaleOptions, name: string): Promise<Publication[]> {
  const body = bodyOf(options.bodyBytes);
  const publications = Array.from({ length: options.events }, async (_, index): Promise<Publication> => {
    await world.clock.sleep((index * 1000) / options.rate);
    const at = world.clock.now();
    world.bill.request('API Gateway requests', 1);
    world.bill.request('CloudWatch Logs GB', accessLogBytes / 2 ** 30);
    const ending = await world.platform.invoke(publishFunction, apiEvent({ path: { uuid: name }, body }));
    const response = ending.is === 'returned' ? (ending.result as { statusCode: number; body: string }) : undefined;
    if (response?.statusCode === 200)
      return { messageId: JSON.parse(response.body).messageId, rejection: undefined, at };
    return { messageId: undefined, rejection: response ? `${response.statusCode} ${response.body}` : ending.is, at };
  });
  return Promise.all(publications);
}

function evaluate(world: World, options: ScaleOptions, publications: readonly Publication[]) {
  const { receivers } = world;
  const [uuids, isWaiting] = [uuidsByNumber(world), waitingWork(world)];
  const healthyNumbers = new Set(healthy(receivers, options.subscribers));
  const failing = [...range(0, options.subscribers)].filter((number) => !healthyNumbers.has(number));
  const reach = (numbers: () => Iterable<number>): Reach[] =>
    publications.flatMap(({ messageId, at }) => {
      if (messageId === undefined) return [];
      const isOpen = (number: number) => isWaiting(messageId, uuids.get(number) ?? '');
      return [reachOf(receivers.received.get(messageId), at, numbers(), isOpen)];
    });
  return { http: reach(() => healthyNumbers), failing: reach(() => failing) };
}

export async function runScale(options: ScaleOptions, progress: Progress): Promise<ScaleResult> {
  const world = await openWorld(options);
  const { clock, dynamodb, sqs } = world;
  const topic = seedTopic(dynamodb.tables.table('topics'));
  seedSubscribers(
    dynamodb.tables.table('subscriptions'),
    topic,
    { ...options, now: startAt },
    world.chance.fork(),
    progress.seeded,
  );

  const publishing = publishAll(world, options, topic.name);
  const endAt = startAt + options.minutes * minuteMs;
  // The clock advances in steps of five seconds so that the progress can be reported.
  for (let until = startAt; until < endAt; ) {
    until = Math.min(endAt, until + 5000);
    await clock.run({ until });
    progress.passed(until - startAt);
  }
  const publications = await publishing;
  const queues = [...sqs.queues.values()];
  const sizes = queues.map((queue) => [queue.name, queue.messages().length] as const).filter(([, size]) => size > 0);
  const isDead = ([name]: readonly [string, number]) => name.endsWith('DeadLetters');
  return {
    ...{ options, publications, world },
    ...evaluate(world, options, publications),
    deadLetters: new Map(sizes.filter(isDead)),
    waiting: new Map(sizes.filter((size) => !isDead(size))),
    failed: world.failed(),
  };
}
