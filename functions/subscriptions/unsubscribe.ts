import { unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { requireView, unknownSubscription, viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = serve(unsubscribe, [subscriptions], async (request, { subscriptions, settings, now }) => {
  const { uuid } = request.path;
  const viewer = viewerOf(request, settings);
  for (;;) {
    const stored = await subscriptions.get(uuid, now());
    if (stored === undefined) throw unknownSubscription();
    if (await subscriptions.removeView(stored, requireView(viewer, stored, now()))) return noContent;
    // Another request has confirmed the subscription or subscribed again, so read the subscription again.
  }
});
