/*
 * Promise: what waits in a queue is not lost, and is not sent again; what always fails for a reason of ours is sent again
 * three times, later each time, and then rests until an operator has mended the cause: it costs four dead letters at the
 * most, however much time passes, and arrives once after that.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { maxReceiveCount } from '../../shared/contract/queues.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, accepts } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const minutes = (count: number) => count * 60_000;
const hours = (count: number) => minutes(60 * count);
const throwsFor =
  (uuids: readonly string[]): Answering =>
  (post, tries) => {
    if (uuids.includes(post.uuid)) throw new RangeError('it cannot be composed');
    return accepts(post, tries);
  };
const stuckLines = () => harness.lines.error.filter((line) => line.includes('stuckTask'));

describe('an event that can never be sent', () => {
  /** Two people whom every attempt at a message throws for, for a day, and one beside them. */
  async function dayOfThrows() {
    const topic = await harness.newTopic();
    const all = await harness.subscribed(topic, {}, {}, {});
    const people = all.slice(1);
    harness.answer(throwsFor(people.map(({ uuid }) => uuid)));
    const messageId = await harness.publish(topic.name);
    await harness.live({ until: harness.now() + hours(24), mostEvents: 1000 });
    return { all, people, messageId };
  }

  it('costs each subscription four dead letters and 200 faults in a day, and is then told of as stuck, once', async () => {
    const { people } = await dayOfThrows();
    expect(harness.bodiesIn('httpDeadLetters')).toHaveLength(4 * people.length);
    const faults = harness.lines.error.filter((line) => line.includes('RangeError'));
    expect(faults).toHaveLength(4 * maxReceiveCount * people.length);
    expect(stuckLines()).toHaveLength(people.length);
    expect((await harness.rows('deliveries')).filter(({ isStuck }) => isStuck)).toHaveLength(people.length);
    await harness.live({ until: harness.now() + hours(24), mostEvents: 1000 });
    expect(harness.bodiesIn('httpDeadLetters')).toHaveLength(4 * people.length);
  });

  it.each<[string, (messageId: string) => Promise<unknown>]>([
    ['redelivered as a message', (messageId) => redeliver({ messageId })],
    ['redelivered by time', () => redeliver({ since: '2024-03-01T00:00:00Z' })],
    [
      'moved back from the dead letters',
      async () => {
        const letters = harness.bodiesIn('httpDeadLetters');
        await harness.send('http', ...letters);
      },
    ],
  ])('arrives once, when the cause is mended and it is %s', async (_how, mend) => {
    const { all, messageId } = await dayOfThrows();
    harness.answer(accepts);
    await mend(messageId);
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(all.map(({ uuid }) => uuid).toSorted());
    expect((await harness.rows('deliveries')).filter(({ isStuck }) => isStuck)).toEqual([]);
  });
});

describe('a publication whose tasks are lost each time', () => {
  it('is audited three times, then told of as stuck, and audited again by redelivery', async () => {
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
    // The first time it was the publication itself.
    expect(sent).toBe(1 + 3);
    expect(stuckLines()).toHaveLength(1);
    expect(await redeliver({ messageId })).toEqual({ redelivered: 0, expired: 0, audited: 1 });
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([person?.uuid]);
  });
});

describe('a lane that holds more than it has served when the sweeper looks', () => {
  it('has nothing of 8,400 mails sent again by the audits, and each arrives once', async () => {
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
    // At 12 mails a second the lane has served six in seven of them by the audit.
    for (let batches = 0; batches < (tasks * 6) / 7 / 10; batches += 1) await harness.workOnce('email');
    const left = harness.payloadsIn('email').length;
    expect(left).toBeGreaterThan(0);
    harness.pass(minutes(10));
    expect(await harness.sweep()).toMatchObject({ audited: 1, putOff: 0 });
    await harness.work('fanOut');
    expect(harness.payloadsIn('email')).toHaveLength(left);
    await harness.work('email');
    await harness.live();
    expect(harness.accepted(messageId)).toHaveLength(8400);
    expect(new Set(harness.accepted(messageId)).size).toBe(8400);
  }, 120_000);

  it('has no retry sent again that waits in it, and a lost one when it is empty', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, {}, {});
    harness.answer((_, tries) => (tries === 0 ? { class: 'http', status: 503 } : { class: 'delivered' }));
    const messageId = await harness.publish(topic.name);
    await harness.work('fanOut', 'http');
    await harness.purge('retry');
    // As many strangers' tasks as the lane may need more than five minutes for.
    for (let others = 0; others < 13_000; others += 1) harness.sqs.server.sendMessage('http', 'of others');
    harness.pass(minutes(7));
    expect(await harness.sweep()).toMatchObject({ resumed: 0, putOff: 2 });
    expect(await harness.sweep()).toMatchObject({ resumed: 0, putOff: 0 });
    await harness.purge('http');
    harness.pass(minutes(15));
    expect(await harness.sweep()).toMatchObject({ resumed: 2 });
    await harness.live();
    expect(harness.accepted(messageId)).toHaveLength(2);
  });

  it('has a publication sent again that its queue lost, while the next step of a recovery waits there', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, {}, {});
    const messageId = await harness.publish(topic.name);
    await harness.purge('fanOut');
    harness.sqs.server.sendMessage('fanOut', JSON.stringify({ recoveryOf: 'nobody' }), { delaySeconds: 60 });
    harness.pass(minutes(11));
    expect(await harness.sweep()).toMatchObject({ audited: 1, putOff: 0 });
    await harness.live();
    expect(harness.accepted(messageId)).toHaveLength(2);
  });
});
