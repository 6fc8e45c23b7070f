import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { answerList } from '../../shared/lambda/answer-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(listSubscriptions, [subscriptions], ({ query }, { subscriptions, now }) =>
  answerList((page) => subscriptions.list(page, now()), showSubscription, query),
);
