import { recoverSubscription } from '../../shared/contract/endpoints/deliveries.ts';
import { beginRecovery } from '../../shared/delivery/redelivery/begin-recovery.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, queues] as const;

export const handler = serve(recoverSubscription, stores, async ({ path: { uuid }, query }, tools) => {
  const subscription = await tools.subscriptions.get(uuid, tools.now());
  if (subscription === undefined) throw unknownSubscription();
  refuseInactive(subscription);
  const since = query.since === undefined ? 0 : Date.parse(query.since);
  return accepted(await beginRecovery(subscription, since, tools));
});
