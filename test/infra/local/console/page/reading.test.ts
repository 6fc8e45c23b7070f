import { expect, test } from 'vitest';
import { readEvents } from '../../../../../infra/local/console/page/reading/events.ts';
import { readSubscriptions } from '../../../../../infra/local/console/page/reading/subscriptions.ts';

const active = { isActive: { BOOL: true } };
const named = { ...active, uuid: { S: 'one' }, messageId: { S: 'one' }, topicName: { S: 'CR' } };
const titled = {
  ...active,
  uuid: { S: 'two' },
  messageId: { S: 'two' },
  topicName: { S: 'CR' },
  topicTitle: { S: 'Births' },
};

/** Answers every read with both rows. */
const dynamodb = async <T>(target: string): Promise<T> => {
  const Items = [named, titled];
  return (target.endsWith('BatchGetItem') ? { Responses: { rows: Items } } : { Items }) as T;
};
const none = { tallyOf: () => ({ delivered: 0, failedAttempts: 0 }), latest: () => ({ messageIds: ['one'] }) };

test('the console shows the title of a topic or, without one, its name', async () => {
  const subscriptions = await readSubscriptions(dynamodb, 'rows', []);
  expect(subscriptions.rows.map(({ topic }) => topic)).toEqual(['Births', 'CR']);
  const { events } = await readEvents(dynamodb, { topics: 'topics', deliveries: 'rows' }, none as never);
  expect(events.rows.map(({ topic }) => topic).toSorted()).toEqual(['Births', 'CR']);
});
