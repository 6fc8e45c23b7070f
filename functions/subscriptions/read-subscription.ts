import { readSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { readLog } from '../../shared/delivery/log/read-log.ts';
import { showStatus } from '../../shared/domain/subscriptions/show-status.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(readSubscription, [subscriptions, ledger], async ({ path: { uuid } }, tools) => {
  const stored = await tools.subscriptions.get(uuid, tools.now());
  if (stored === undefined) throw unknownSubscription();
  const [deliveries, delivered] = await Promise.all([
    tools.ledger.standingOf(uuid),
    readLog(stored, { state: 'delivered', limit: 1 }, tools),
  ]);
  const lastDelivered = delivered.deliveries[0]?.attempts.at(-1);
  return ok(showStatus(stored, { ...deliveries, lastDelivered }, tools.now()));
});
