import { recover } from '../../shared/contract/jobs.ts';
import { startRecovery } from '../../shared/delivery/recovery/recover-missed.ts';
import { rejectInactive, unknownSubscription } from '../../shared/domain/subscriptions/client-view.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = perform(
  recover,
  [subscriptions, deliveries, queues],
  async ({ subscription: uuid, since }, tools) => {
    const subscription = await tools.subscriptions.get(uuid, tools.now());
    if (subscription === undefined) throw unknownSubscription();
    rejectInactive(subscription);
    return startRecovery(subscription, since === undefined ? 0 : Date.parse(since), tools);
  },
);
