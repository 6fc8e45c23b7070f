import { unsubscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { noContent } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(unsubscribe, [subscriptions], async ({ path: { uuid } }, { subscriptions, now }) => {
  if (await subscriptions.remove(uuid, now())) return noContent;
  throw unknownSubscription();
});
