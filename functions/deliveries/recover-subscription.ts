import { recoverSubscription } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { startRecovery } from '../../shared/delivery/recovery/recover-missed.ts';
import { countRequest, visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { rejectInactive } from '../../shared/domain/subscriptions/client-view.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, limits, queues] as const;

export const handler = serve(recoverSubscription, stores, async (request, tools) => {
  const { query } = request;
  const subscription = await visibleSubscription(request, tools);
  rejectInactive(subscription);
  await countRequest('recover', subscription, tools);
  const since = query.since === undefined ? 0 : Date.parse(query.since);
  return accepted(await startRecovery(subscription, since, tools));
});
