import { recover } from '../../shared/contract/jobs.ts';
import { beginRecovery } from '../../shared/delivery/redelivery/begin-recovery.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { unknownSubscription } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

/** Has everything delivered that a subscription has not got since a time, as its subscriber may, too. */
export const handler = perform(
  recover,
  [subscriptions, ledger, queues],
  async ({ subscription: uuid, since }, tools) => {
    const subscription = await tools.subscriptions.get(uuid, tools.now());
    if (subscription === undefined) throw unknownSubscription();
    refuseInactive(subscription);
    return beginRecovery(subscription, since === undefined ? 0 : Date.parse(since), tools);
  },
);
