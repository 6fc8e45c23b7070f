import { changeSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { changeOf } from '../../shared/domain/subscriptions/change-of.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(changeSubscription, [subscriptions], async ({ path, body }, tools) => {
  const change = changeOf(body);
  for (;;) {
    const stored = await tools.subscriptions.get(path.uuid, tools.now());
    if (stored === undefined) throw unknownSubscription();
    refuseInactive(stored);
    // Where nothing is to be changed there is nothing to write.
    const changed = Object.keys(change).length === 0 ? stored : await tools.subscriptions.change(stored, change);
    if (changed) return ok(showSubscription(changed));
    // It was paused, left or confirmed anew at this moment: what is there now decides.
  }
});
