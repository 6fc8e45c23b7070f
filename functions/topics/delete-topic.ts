import { deleteTopic } from '../../shared/contract/endpoints/topics.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

// Longer than this function may run: by then the topic is gone, or the deletion has failed and the clean-up finds nothing.
const cleanUpDelaySeconds = 30;

export const handler = serve(deleteTopic, [topics, queues], async ({ path: { uuid } }, { topics, queues, newId }) => {
  const payload = { topicUuid: uuid, before: newId() };
  // The clean-up is asked for before the deletion: a deletion whose clean-up was lost could not be repeated.
  await queues.cleanUp.send({ payload, group: uuid, delaySeconds: cleanUpDelaySeconds });
  const removed = await topics.remove(uuid);
  if (removed === undefined) throw new Refusal('unknownTopic', 'no topic has this uuid; GET /v1/topics lists them');
  // The same at once; where this one is lost, the first does it.
  await queues.cleanUp.send({ payload, group: uuid }).catch(() => {});
  return noContent;
});
