import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import type { PageRequest } from '../../shared/domain/row-page.ts';
import { viewerOf, viewFor } from '../../shared/domain/subscriptions/client-view.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { replyWithList, selectRows } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = serve(listSubscriptions, [subscriptions], (request, { subscriptions, settings, now }) => {
  const viewer = viewerOf(request, settings);
  const all = (page: PageRequest) => subscriptions.list(page, now());
  const list = viewer.seesAll ? all : selectRows(all, (stored) => viewFor(stored, viewer, now()), request.query.limit);
  return replyWithList(list, showSubscription, request.query);
});
