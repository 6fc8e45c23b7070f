import { recoverSubscription } from '../../shared/contract/endpoints/deliveries.ts';
import { countAsked } from '../../shared/delivery/asked/count-asked.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { beginRecovery } from '../../shared/delivery/redelivery/begin-recovery.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, limits, queues] as const;

export const handler = serve(recoverSubscription, stores, async (request, tools) => {
  const { query } = request;
  const subscription = await seenSubscription(request, tools);
  refuseInactive(subscription);
  await countAsked('recover', subscription, tools);
  const since = query.since === undefined ? 0 : Date.parse(query.since);
  return accepted(await beginRecovery(subscription, since, tools));
});
