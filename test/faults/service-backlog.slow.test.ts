/*
 * Promise: the service neither loses work that waits in a queue nor sends it again. If an internal error occurs at
 * every attempt, the service resends the delivery three times at increasing intervals and then marks it as stuck. A
 * stuck delivery creates at most four dead letters and arrives once after an operator fixes the cause.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { maxReceiveCount } from '../../shared/contract/queue-names.ts';
import type { DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, type ChooseOutcome } from '../harness/fake-sender.ts';

const deliveryDays = 30;
const harness = useDeliveryHarness({ deliveryDays: `${deliveryDays}` });
const minutes = (count: number) => count * 60_000;
const hours = (count: number) => minutes(60 * count);
const throwsFor =
  (uuids: readonly string[]): ChooseOutcome =>
  (post, tries) => {
    if (uuids.includes(post.uuid)) throw new RangeError('the message cannot be composed');
    return accepts(post, tries);
  };
const stuckLines = () => harness.lines.error.filter((line) => line.includes('stuckTask'));

/**
 * Publishes a message to three subscriptions and advances the clock by a day. Every attempt to deliver the message to
 * two of the subscriptions causes an error.
 */
async function failForADay() {
  const topic = await harness.newTopic();
  const all = await harness.subscribed(topic, {}, {}, {});
  const people = all.slice(1);
  harness.answer(throwsFor(people.map(({ uuid }) => uuid)));
  const messageId = await harness.publish(topic.name);
  await harness.live({ until: harness.now() + hours(24), mostEvents: 1000 });
  return { all, people, messageId };
}

it('a message that always fails creates four dead letters and 200 errors per subscription, and is reported as stuck once', async () => {
  const { people } = await failForADay();
  expect(harness.bodiesIn('httpDeadLetters')).toHaveLength(4 * people.length);
  const faults = harness.lines.error.filter((line) => line.includes('RangeError'));
  expect(faults).toHaveLength(4 * maxReceiveCount * people.length);
  expect(stuckLines()).toHaveLength(people.length);
  expect((await harness.rows('deliveries')).filter(({ isStuck }) => isStuck)).toHaveLength(people.length);
  await harness.live({ until: harness.now() + hours(24), mostEvents: 1000 });
  expect(harness.bodiesIn('httpDeadLetters')).toHaveLength(4 * people.length);
});

it.each<[string, (messageId: string) => Promise<unknown>]>([
  ['an operator redelivers the message', (messageId) => redeliver({ messageId })],
  [
    'an operator redelivers all messages that failed after a given time',
    () => redeliver({ since: '2024-03-01T00:00:00Z' }),
  ],
  [
    'an operator moves the dead letters back to the queue',
    async () => {
      const letters = harness.bodiesIn('httpDeadLetters');
      await harness.send('http', ...letters);
    },
  ],
])('a stuck message arrives once after the cause of the error is fixed and %s', async (_how, repair) => {
  const { all, messageId } = await failForADay();
  harness.answer(accepts);
  await repair(messageId);
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(all.map(({ uuid }) => uuid).toSorted());
  expect((await harness.rows('deliveries')).filter(({ isStuck }) => isStuck)).toEqual([]);
});

it('a lost message is reconciled three times, then reported as stuck, and reconciled again when an operator redelivers it', async () => {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, {});
  const messageId = await harness.publish(topic.name);
  let sent = 0;
  for (let due = harness.nextDue(); (await due) !== undefined; due = harness.nextDue()) {
    await harness.work('fanOut');
    sent += harness.payloadsIn('http').length;
    await harness.purge('http');
    harness.moveTo((await due) ?? 0);
    await harness.sweep();
  }
  // The task is queued once at publication and once during each of the three reconciliations.
  expect(sent).toBe(1 + 3);
  expect(stuckLines()).toHaveLength(1);
  const stuckAt = harness.now();
  // The rows of earlier deliveries may have expired, so the service must not send the message again.
  harness.moveTo(stuckAt + hours(24 * deliveryDays));
  expect(await redeliver({ messageId })).toEqual({ redelivered: 0, expired: 0 });
  harness.moveTo(stuckAt);
  expect(await redeliver({ messageId })).toEqual({ redelivered: 0, expired: 0, reconciled: 1 });
  await harness.live();
  expect(harness.accepted(messageId)).toEqual([person?.uuid]);
});

describe('the sweeper, while a lane still has work', () => {
  it('reconciliation resends none of 8,400 queued emails, and each email arrives once', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(
      topic,
      ...Array.from({ length: 8400 }, (_, index) => ({
        protocol: 'email' as const,
        address: `reader${index}@example.org`,
      })),
    );
    const messageId = await harness.publish(topic.name);
    await harness.work('fanOut');
    const tasks = harness.payloadsIn<DeliveryTask>('email').length;
    // The lane sends 12 emails per second, so six sevenths of the emails have been sent when reconciliation starts.
    for (let batches = 0; batches < (tasks * 6) / 7 / 10; batches += 1) await harness.workOnce('email');
    const remaining = harness.payloadsIn('email').length;
    expect(remaining).toBeGreaterThan(0);
    harness.pass(minutes(10));
    expect(await harness.sweep()).toMatchObject({ reconciled: 1, postponed: 0 });
    await harness.work('fanOut');
    expect(harness.payloadsIn('email')).toHaveLength(remaining);
    await harness.work('email');
    await harness.live();
    expect(harness.accepted(messageId)).toHaveLength(8400);
    expect(new Set(harness.accepted(messageId)).size).toBe(8400);
  });

  it('the sweeper resends a lost publication even if the next step of a recovery is queued', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, {}, {});
    const messageId = await harness.publish(topic.name);
    await harness.purge('fanOut');
    harness.sqs.server.sendMessage('fanOut', JSON.stringify({ recoveryOf: 'no person' }), { delaySeconds: 60 });
    harness.pass(minutes(11));
    expect(await harness.sweep()).toMatchObject({ reconciled: 1, postponed: 0 });
    await harness.live();
    expect(harness.accepted(messageId)).toHaveLength(2);
  });
});
