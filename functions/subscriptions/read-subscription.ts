import { readSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { readLog } from '../../shared/delivery/log/read-log.ts';
import { isConfirmed } from '../../shared/domain/subscriptions/confirmation-state.ts';
import { nothingSent, showStatus } from '../../shared/domain/subscriptions/show-status.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

// A usual subscriber's latest delivery is among its latest messages.
const lastDelivery = { state: 'delivered', limit: 1, mostRounds: 2 } as const;

export const handler = serve(readSubscription, [subscriptions, ledger], async (request, tools) => {
  const { uuid } = request.path;
  const now = tools.now();
  const stored = await seenSubscription(request, tools);
  // What the ledger has of an address that has not confirmed is another's.
  if (!isConfirmed(stored)) return ok(showStatus(stored, nothingSent, now));
  const [deliveries, delivered] = await Promise.all([
    tools.ledger.standingOf(uuid),
    readLog(stored, lastDelivery, tools),
  ]);
  const lastDelivered = delivered.deliveries[0]?.attempts.at(-1);
  return ok(showStatus(stored, { ...deliveries, lastDelivered }, now));
});
