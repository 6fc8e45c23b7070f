import { changeSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { changeOf } from '../../shared/domain/subscriptions/change-of.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(changeSubscription, [subscriptions], async (request, tools) => {
  const change = changeOf(request.body, tools.now());
  for (;;) {
    const stored = await seenSubscription(request, tools);
    refuseInactive(stored);
    // Where nothing is to be changed there is nothing to write.
    const changed = Object.keys(change).length === 0 ? stored : await tools.subscriptions.change(stored, change);
    if (changed) return ok(showSubscription(changed));
    // It was paused, left or confirmed anew at this moment: what is there now decides.
  }
});
