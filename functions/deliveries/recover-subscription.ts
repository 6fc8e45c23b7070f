import { recoverSubscription } from '../../shared/contract/endpoints/deliveries.ts';
import { countAsked } from '../../shared/delivery/asked/count-asked.ts';
import { beginRecovery } from '../../shared/delivery/redelivery/begin-recovery.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { seenBy } from '../../shared/domain/subscriptions/seen-by.ts';
import { viewerOf } from '../../shared/domain/subscriptions/view-for.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, limits, queues] as const;

export const handler = serve(recoverSubscription, stores, async (request, tools) => {
  const { path, query } = request;
  const now = tools.now();
  const subscription = seenBy(viewerOf(request, tools.settings), await tools.subscriptions.get(path.uuid, now), now);
  refuseInactive(subscription);
  await countAsked('recover', subscription, tools);
  const since = query.since === undefined ? 0 : Date.parse(query.since);
  return accepted(await beginRecovery(subscription, since, tools));
});
