import { listTopics } from '../../shared/contract/endpoints/topics.ts';
import { answerList } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

export const handler = serve(listTopics, [topics], ({ query }, { topics }) =>
  answerList(topics.list, (topic) => topic, query),
);
