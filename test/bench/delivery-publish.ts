import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';
import type { LargeTopics } from './delivery-large-topics.ts';
import { median, whole } from './figures.ts';
import type { Comparison } from './report.ts';

const requests = 500;
const warmUps = 50;

/** Alternates between publish requests to a topic with many subscribers and to an empty topic, and measures both. */
async function publishLatency(world: LargeTopics, large: StoredTopic): Promise<readonly [number[], number[]]> {
  const empty = await world.newTopic(0);
  const times: readonly [number[], number[]] = [[], []];
  for (let index = 0; index < 2 * requests; index++) {
    const topic = index % 2 === 0 ? large : empty;
    const event = apiEvent({ path: { uuid: topic.uuid }, body: '{"source":"CR","uin":"2931007854"}' });
    const begun = performance.now();
    const { statusCode } = await publish(event, context);
    if (statusCode !== 200) throw new Error(`publish returned ${statusCode}`);
    if (index >= 2 * warmUps) times[index % 2 === 0 ? 0 : 1].push(performance.now() - begun);
  }
  return times;
}

const chunks = 15;

/** Splits consecutive measurements into rounds, and returns the median of each round. */
const inRounds = (times: readonly number[]): number[] =>
  Array.from({ length: chunks }, (_, round) =>
    median(times.slice((round * times.length) / chunks, ((round + 1) * times.length) / chunks)),
  );

/** Compares publish requests to a large topic with publish requests to an empty topic. */
export async function comparePublishing(
  world: LargeTopics,
  large: StoredTopic,
  subscribers: number,
): Promise<Comparison> {
  const [many, none] = await publishLatency(world, large);
  return {
    what: `publish with ${whole(subscribers)} subscribers / with none`,
    unit: 'ms',
    ours: inRounds(many),
    baseline: inRounds(none),
    target: { atMost: 1.1 },
  };
}
