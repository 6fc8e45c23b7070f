import { changeSubscription } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { rejectInactive, rejectUnusedFormat } from '../../shared/domain/subscriptions/client-view.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { changeOf } from '../../shared/domain/subscriptions/subscription-patch.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = serve(changeSubscription, [subscriptions], async (request, tools) => {
  const change = changeOf(request.body, tools.now());
  for (;;) {
    const stored = await visibleSubscription(request, tools);
    rejectInactive(stored);
    rejectUnusedFormat(stored.protocol, change.deliveryFormat, ['invalidBody', 'body.deliveryFormat']);
    const changed = Object.keys(change).length === 0 ? stored : await tools.subscriptions.change(stored, change);
    if (changed) return ok(showSubscription(changed));
    // Another request has paused, removed or confirmed the subscription, so read the subscription again.
  }
});
