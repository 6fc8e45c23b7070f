import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { viewerOf, viewFor } from '../../shared/domain/subscriptions/view-for.ts';
import { answerList } from '../../shared/lambda/answer-list.ts';
import { selectRows } from '../../shared/lambda/select-rows.ts';
import { serve } from '../../shared/lambda/serve.ts';
import type { PageRequest } from '../../shared/model/page.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(listSubscriptions, [subscriptions], (request, { subscriptions, settings, now }) => {
  const viewer = viewerOf(request, settings);
  const all = (page: PageRequest) => subscriptions.list(page, now());
  const list = viewer.seesAll ? all : selectRows(all, (stored) => viewFor(stored, viewer, now()));
  return answerList(list, showSubscription, request.query);
});
