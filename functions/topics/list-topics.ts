import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { replyWithList } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { topics } from '../../shared/storage/topics/store.ts';

export const handler = serve(listTopics, [topics], ({ query }, { topics }) =>
  replyWithList(topics.list, (topic) => topic, query),
);
