import { expect, it } from 'vitest';
import { readConsole } from '../support/console-lines.ts';
import { useNotificationFunctions } from '../support/notification-functions.ts';

readConsole();
const { start, newTopic, sqs, queues, tables, dynamodb } = useNotificationFunctions();
const load = () => import('../../functions/topics/delete-topic.ts');

it('sends the clean-up, a little later, and removes the topic', async () => {
  const { uuid } = await newTopic();
  const remove = await start(load);
  expect((await remove({ path: { uuid } })).status).toBe(204);
  expect(await dynamodb.rowsOf(tables.topics)).toEqual([]);
  expect(sqs.messagesIn(queues.cleanUp)).toEqual([{ job: { topicUuid: uuid }, delaySeconds: 2 }]);
});

it('leaves the topic where the clean-up cannot be sent: the caller may try again', async () => {
  const { uuid } = await newTopic();
  const remove = await start(load, { variables: { CLEAN_UP_QUEUE_URL: `${queues.cleanUp}-gone` } });
  expect((await remove({ path: { uuid } })).status).toBe(500);
  expect(await dynamodb.rowsOf(tables.topics)).toMatchObject([{ uuid }]);
  const again = await start(load);
  expect((await again({ path: { uuid } })).status).toBe(204);
});
