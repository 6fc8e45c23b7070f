import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { apiEvent, context } from '../support/lambda-events.ts';
import type { LargeTopics } from './delivery-large-topics.ts';
import { median, quantile, ratio, whole } from './figures.ts';
import { printTable } from './terminal.ts';

const requests = 500;
const warmUps = 50;

/** How long the publish handler takes with a topic of many subscribers, and of none, in turn. */
async function publishLatency(world: LargeTopics, large: StoredTopic): Promise<readonly [number[], number[]]> {
  const empty = await world.newTopic(0);
  const times: readonly [number[], number[]] = [[], []];
  for (let index = 0; index < 2 * requests; index++) {
    const topic = index % 2 === 0 ? large : empty;
    const event = apiEvent({ path: { uuid: topic.uuid }, body: '{"source":"CR","uin":"2931007854"}' });
    const begun = performance.now();
    const { statusCode } = await publish(event, context);
    if (statusCode !== 200) throw new Error(`publish answered ${statusCode}`);
    if (index >= 2 * warmUps) times[index % 2 === 0 ? 0 : 1].push(performance.now() - begun);
  }
  return times;
}

/** What the size of a topic means to whoever publishes. */
export async function printPublishLatency(world: LargeTopics, large: StoredTopic, subscribers: number): Promise<void> {
  const [many, none] = await publishLatency(world, large);
  const row = (what: string, times: readonly number[]) => [
    what,
    ...[0.5, 0.95].map((share) => quantile(times, share).toFixed(2)),
  ];
  console.log(`\npublish, the handler alone, ${whole(requests - warmUps)} each in turn\n`);
  printTable(
    ['subscribers of the topic', 'p50 ms', 'p95 ms'],
    [row(whole(subscribers), many), row('none', none), ['ratio', ratio(median(many) / median(none)), '']],
  );
}
