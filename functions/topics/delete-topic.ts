import { deleteTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { rejectReservedTopic } from '../../shared/domain/topics/topic.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

// The first delay exceeds this function's timeout, so the clean-up starts after the deletion has succeeded or failed.
// The second delay is the longest that SQS allows. The second clean-up finds rows that a lagging index or a slow
// subscribe request hid from the first clean-up.
const cleanUpDelaysSeconds = [30, 900];

export const handler = serve(deleteTopic, [topics, queues], async ({ path: { uuid } }, { topics, queues, newId }) => {
  rejectReservedTopic(uuid);
  const topic = await topics.get(uuid);
  const payload = { topicUuid: uuid, before: newId() };
  // Queue the clean-up before the deletion: if queueing failed after the deletion, a retry would not find the topic.
  await queues.cleanUp.sendMany(cleanUpDelaysSeconds.map((delaySeconds) => ({ payload, group: uuid, delaySeconds })));
  if (topic === undefined || !(await topics.remove(topic)))
    throw new ClientError('unknownTopic', 'no topic has this uuid; GET /v1/topics lists all topics');
  // Start the clean-up now. If the immediate message is lost, the delayed message starts the clean-up.
  await queues.cleanUp.send({ payload, group: uuid }).catch(() => {});
  return noContent;
});
