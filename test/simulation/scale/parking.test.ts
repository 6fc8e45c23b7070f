/*
 * Promise: a failing receiver with many waiting messages costs little, and the messages arrive soon after its recovery.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { maxActiveMessages } from '../../../shared/domain/deliveries/parking.ts';
import { apiEvent } from '../../harness/lambda-events.ts';
import { publishFunction } from './functions.ts';
import { readScaleOptions } from './options.ts';
import { runScale } from './run.ts';
import { seedSubscribers, seedTopic } from './seeding.ts';
import { openWorld, startAt, type World } from './world.ts';

const silent = { seeded: () => {}, passed: () => {} };
let world: World | undefined;
afterEach(() => world?.close());

/**
 * Simulates a receiver that fails for the given number of minutes. Returns the numbers of Lambda runs and DynamoDB
 * write units.
 */
async function costOf(events: number, minutes: number) {
  const receiver = '--subscribers 1 --receivers down=100% --policy 3600,168 --rate 1';
  const result = await runScale(
    readScaleOptions(`${receiver} --events ${events} --minutes ${minutes}`.split(' ')),
    silent,
  );
  const { bill, close } = result.world;
  const count = (item: string, by: readonly string[] = []) =>
    bill.details().reduce((sum, one) => (one.item === item && !by.includes(one.by) ? sum + one.count : sum), 0);
  // The sweeper runs once per minute for all subscriptions.
  const cost = { runs: count('Lambda requests', ['sweep', 'publishEvent']), writes: count('DynamoDB writes') };
  close();
  return cost;
}

it('a receiver that fails for 12 hours costs at most twice as much with 100 waiting messages as with 5', async () => {
  const whileWaiting = async (events: number) => {
    const [early, late] = [await costOf(events, 15), await costOf(events, 720)];
    return { runs: late.runs - early.runs, writes: late.writes - early.writes };
  };
  const [few, many] = [await whileWaiting(5), await whileWaiting(100)];
  expect(few.runs).toBeGreaterThan(100);
  expect(many.runs / few.runs).toBeLessThanOrEqual(2);
  expect(many.writes / few.writes).toBeLessThanOrEqual(2);
});

describe('recovery from an outage of 60 seconds, with the policy `3600` and 1,000 messages', () => {
  /** Publishes the messages evenly or all at once. Returns the seconds from the end of the outage to each delivery. */
  async function outage(overMs: number) {
    const options = readScaleOptions(['--subscribers', '1', '--policy', '3600,168']);
    world = await openWorld(options);
    const { clock, dynamodb, receivers, platform } = world;
    const topic = seedTopic(dynamodb.tables.table('topics'));
    const table = dynamodb.tables.table('subscriptions');
    seedSubscribers(table, topic, { ...options, now: startAt }, world.chance.fork(), () => {});
    const endAt = startAt + 60_000;
    receivers.kindOf = () => (clock.now() < endAt ? 'down' : 'healthy');
    const publish = async (afterMs: number): Promise<string> => {
      await clock.sleep(afterMs);
      const event = apiEvent({ path: { uuid: topic.name }, body: '{"source":"CR"}' });
      const ending = await platform.invoke(publishFunction, event);
      if (ending.is !== 'returned') throw new Error(ending.is);
      return JSON.parse((ending.result as { body: string }).body).messageId;
    };
    const during = Array.from({ length: 1000 }, (_, index) => publish((index * overMs) / 1000));
    const after = publish(61_000);
    await clock.run({ until: endAt + 15 * 60_000 });
    const secondsOf = (id: string) => ((receivers.received.get(id)?.firstAt[0] ?? Number.NaN) - endAt) / 1000;
    return { during: (await Promise.all(during)).map(secondsOf), after: secondsOf(await after) };
  }

  it.each([
    ['evenly', 59_000],
    ['all at once', 0],
  ])(
    'messages published %s arrive within 10 minutes, except at most five, and the next message arrives within 2 minutes',
    async (_, overMs) => {
      const { during, after } = await outage(overMs);
      expect(after).toBeLessThanOrEqual(120);
      const late = during.filter((seconds) => !(seconds <= 600));
      expect(late.length).toBeLessThanOrEqual(maxActiveMessages);
    },
  );
});
