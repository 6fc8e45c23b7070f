import { describe, expect, test } from 'vitest';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { failing } from '../../harness/interference.ts';

const harness = useDeliveryHarness();
const { rows, publish, publishAndWork, posts } = harness;

/** Creates a topic with an HTTP subscriber. */
const toldTopic = async (name: string) => {
  const topic = await harness.newTopic(name);
  await harness.subscribed(topic, { address: 'http://receiver.example/' });
};
const journaled = async () =>
  (await rows('journal')).toSorted((one, other) => (String(one.moment) < String(other.moment) ? -1 : 1));

const birth = '{"source":"CR","uin":"100","uin1":"101","uin2":"","weight":"3100 g"}';
/** The body is longer than 4 KiB, so the queued message does not contain it. */
const long = JSON.stringify({ ...JSON.parse(birth), remarks: 'x'.repeat(5000) });

describe('an event', () => {
  test("an event writes one journal row per person with the event's publisher and id, but without the rest of its body", async () => {
    await toldTopic('liveBirth');
    const messageId = await publishAndWork('liveBirth', birth);
    const told = { operation: 'publishEvent', requestId: messageId, caller: 'client-1', event: 'liveBirth' };
    expect(await journaled()).toMatchObject(['100', '101'].map((uin) => ({ ...told, topic: 'liveBirth', uin })));
    expect(JSON.stringify(await journaled())).not.toContain('3100');
    expect(JSON.stringify(posts)).not.toContain('client-1');
  });

  test.each([
    ['marriage', '{"source":"CR","uin1":"200","uin2":"201"}', ['200', '201']],
    ['duplicatePerson', '{"source":"CR","uin":"300","duplicates":["301","302","301"]}', ['300', '301', '302']],
    ['death', '\ufeff{"source":"CR","uin":"400"}', ['400']],
  ])('an event of type %s is journaled for each person that its fields name', async (type, body, uins) => {
    await harness.newTopic('CR');
    await publishAndWork('CR', body, {}, `subject=${type}`);
    expect((await journaled()).map(({ uin }) => uin)).toEqual(uins);
  });

  test('an event whose UIN is too long for a key is journaled with a shortened UIN', async () => {
    await harness.newTopic('liveBirth');
    const long = `${'a'.repeat(255)}😀`;
    await publishAndWork('liveBirth', JSON.stringify({ source: 'CR', uin: long, uin1: '101' }));
    expect((await journaled()).map(({ uin }) => uin)).toEqual([`${'a'.repeat(255)}\ufffd`, '101']);
  });

  test('an event of an unknown type is not journaled', async () => {
    await harness.newTopic('CR');
    await publishAndWork('CR', '{"uin":"500"}');
    expect(await journaled()).toEqual([]);
  });

  test.each([
    ['the queue repeats the event', false],
    ['the queue loses the event', true],
  ])('an event is not delivered until it is journaled, even if the journal write fails and %s', async (_, isLost) => {
    await toldTopic('liveBirth');
    harness.interfere(failing('BatchWriteItem'));
    const messageId = await publishAndWork('liveBirth', birth);
    expect(posts).toEqual([]);
    expect(harness.lines.error.join()).toContain('eventNotJournaled');
    harness.interfere({});
    if (isLost) await harness.purge('fanOut');
    await harness.live({ isSwept: isLost });
    expect(await journaled()).toMatchObject(['100', '101'].map((uin) => ({ requestId: messageId, uin })));
    expect(posts).toHaveLength(1);
  });

  test.each([
    ['a short body', birth],
    ['a long body', long],
  ])('an event with %s is journaled during reconciliation if the queue lost the event', async (_, body) => {
    await toldTopic('liveBirth');
    await harness.interfereDuring(failing('SendMessage'), () => publish('liveBirth', body));
    expect(await journaled()).toEqual([]);
    await harness.live();
    expect(posts).toHaveLength(1);
    expect((await journaled()).map(({ uin }) => uin)).toEqual(['100', '101']);
  });

  test('an event that is fanned out hours late is journaled under the hour of its fan-out, with its publication time', async () => {
    await toldTopic('liveBirth');
    await publish('liveBirth', birth);
    const published = harness.now();
    harness.moveTo(published + 5 * 3_600_000);
    await harness.work();
    const [row] = await journaled();
    expect(Math.abs(Date.parse(String(row?.at)) - published)).toBeLessThan(60_000);
    expect(Date.parse(String(row?.moment).slice(0, 24)) - published).toBeGreaterThanOrEqual(5 * 3_600_000);
  });
});
