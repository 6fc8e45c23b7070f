import { deleteTopic } from '../../shared/contract/endpoints/topics.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { cleanUpQueue } from '../../shared/storage/queues.ts';
import { topics } from '../../shared/storage/topics.ts';

export const handler = serve(deleteTopic, [topics, cleanUpQueue], async ({ path: { uuid } }, { topics, cleanUp }) => {
  const removed = await topics.remove(uuid);
  if (removed === undefined) throw new Refusal('unknownTopic', 'no topic has this uuid; GET /v1/topics lists them');
  await cleanUp.send({ job: { topicUuid: uuid, generation: removed.generation }, group: uuid });
  return noContent;
});
