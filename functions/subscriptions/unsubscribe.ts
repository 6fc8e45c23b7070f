import { unsubscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { seenBy } from '../../shared/domain/subscriptions/seen-by.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(unsubscribe, [subscriptions], async (request, { subscriptions, settings, now }) => {
  const { uuid } = request.path;
  const viewer = viewerOf(request, settings);
  if (viewer.seesAll) {
    if (await subscriptions.remove(uuid, now())) return noContent;
    throw unknownSubscription();
  }
  for (;;) {
    const stored = await subscriptions.get(uuid, now());
    if (stored === undefined) throw unknownSubscription();
    if (await subscriptions.endSeen(stored, seenBy(viewer, stored, now()))) return noContent;
    // It was confirmed, or asked for, at this moment: what is there now decides.
  }
});
