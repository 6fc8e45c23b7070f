import { expect, it } from 'vitest';
import type { CleanUpPayload } from '../../../shared/domain/topics/topic.ts';
import { useColdStarts } from '../../harness/cold-starts.ts';
import { useHarness } from '../../harness/harness.ts';

const harness = useHarness();
const { newTopic, queues } = harness;
const { start } = useColdStarts(harness);
const load = () => import('../../../functions/topics/delete-topic.ts');

it('deleteTopic deletes the topic and queues three clean-ups: one immediate, one after 30 seconds and one after 15 minutes', async () => {
  const { uuid } = await newTopic();
  const remove = await start(load);
  expect((await remove({ path: { uuid } })).status).toBe(204);
  expect(await harness.rows('topics')).toEqual([]);
  const payloads = harness.messagesIn<CleanUpPayload>('cleanUp');
  expect(payloads.map(({ payload }) => payload)).toEqual(
    [1, 2, 3].map(() => ({ topicUuid: uuid, before: payloads[0]?.payload.before })),
  );
  expect(payloads.map(({ delaySeconds }) => delaySeconds).toSorted((a, b) => a - b)).toEqual([0, 30, 900]);
});

it('deleteTopic keeps the topic if the clean-up cannot be queued, so that the client can retry', async () => {
  const { uuid } = await newTopic();
  const remove = await start(load, { variables: { CLEAN_UP_QUEUE_URL: `${queues.cleanUp}-gone` } });
  expect((await remove({ path: { uuid } })).status).toBe(500);
  expect(await harness.rows('topics')).toMatchObject([{ uuid }]);
  const again = await start(load);
  expect((await again({ path: { uuid } })).status).toBe(204);
});
