import { describe, expect, test } from 'vitest';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { refusing } from '../../harness/interference.ts';

const harness = useDeliveryHarness();
const { rows, publish, posts } = harness;

/** A topic with a subscriber by http. */
const toldTopic = async (name: string) => {
  const topic = await harness.newTopic(name);
  await harness.subscribed(topic, { address: 'http://receiver.example/' });
};
const journaled = async () =>
  (await rows('journal')).toSorted((one, other) => (String(one.moment) < String(other.moment) ? -1 : 1));

const birth = '{"source":"CR","uin":"100","uin1":"101","uin2":"","weight":"3100 g"}';
/** Over 4 KiB: it does not travel with its message. */
const long = JSON.stringify({ ...JSON.parse(birth), remarks: 'x'.repeat(5000) });

describe('an event', () => {
  test('leaves a row for each person that it tells of, with its publisher and its id, and nothing else of its body', async () => {
    await toldTopic('liveBirth');
    const messageId = await publish('liveBirth', birth);
    await harness.work();
    const told = { operation: 'publishEvent', requestId: messageId, caller: 'client-1', event: 'liveBirth' };
    expect(await journaled()).toMatchObject([
      { ...told, topic: 'liveBirth', uin: '100' },
      { ...told, topic: 'liveBirth', uin: '101' },
    ]);
    expect(JSON.stringify(await journaled())).not.toContain('3100');
    expect(JSON.stringify(posts)).not.toContain('client-1');
  });

  test.each([
    ['marriage', '{"source":"CR","uin1":"200","uin2":"201"}', ['200', '201']],
    ['duplicatePerson', '{"source":"CR","uin":"300","duplicates":["301","302","301"]}', ['300', '301', '302']],
    ['death', '\ufeff{"source":"CR","uin":"400"}', ['400']],
  ])('of %s is about those whom its fields name', async (type, body, uins) => {
    await harness.newTopic('CR');
    await publish('CR', body, {}, `subject=${type}`);
    await harness.work();
    expect((await journaled()).map(({ uin }) => uin)).toEqual(uins);
  });

  test('is about somebody whose number is too long for a key, and cut within a character', async () => {
    await harness.newTopic('liveBirth');
    const long = `${'a'.repeat(255)}😀`;
    await publish('liveBirth', JSON.stringify({ source: 'CR', uin: long, uin1: '101' }));
    await harness.work();
    expect((await journaled()).map(({ uin }) => uin)).toEqual([`${'a'.repeat(255)}\ufffd`, '101']);
  });

  test('of no known type leaves none', async () => {
    await harness.newTopic('CR');
    await publish('CR', '{"uin":"500"}');
    await harness.work();
    expect(await journaled()).toEqual([]);
  });

  test('is delivered although the journal does not take it, once, and noted when it does', async () => {
    await toldTopic('liveBirth');
    harness.interfere(refusing('BatchWriteItem'));
    const messageId = await publish('liveBirth', birth);
    await harness.work();
    expect(posts).toHaveLength(1);
    expect(harness.lines.error.join()).toContain('eventNotJournaled');
    harness.interfere({});
    await harness.live({ isSwept: false });
    expect((await journaled()).map(({ requestId, uin }) => [requestId, uin])).toEqual([
      [messageId, '100'],
      [messageId, '101'],
    ]);
    expect(posts).toHaveLength(1);
  });

  test.each([
    ['', birth],
    ['of a long body ', long],
  ])('%sthat the queue has lost is noted by its audit', async (_, body) => {
    await toldTopic('liveBirth');
    harness.interfere(refusing('SendMessage'));
    await publish('liveBirth', body);
    harness.interfere({});
    expect(await journaled()).toEqual([]);
    await harness.live();
    expect(posts).toHaveLength(1);
    expect((await journaled()).map(({ uin }) => uin)).toEqual(['100', '101']);
  });

  test('that is sent out hours later is filed under the hour of that, which is not exported yet, and says its own time', async () => {
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
