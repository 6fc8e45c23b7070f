import { createTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { topicUuid } from '../../shared/domain/topics/topic.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { topics } from '../../shared/storage/topics/store.ts';

export const handler = serve(createTopic, [topics], async ({ query: { name, title } }, { topics, newId }) => {
  const topic = await topics.ensure({ uuid: topicUuid(name), name, generation: newId(), ...(title && { title }) });
  return ok(topic);
});
