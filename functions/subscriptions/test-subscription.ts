import { testSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { countAsked } from '../../shared/delivery/asked/count-asked.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { testEvent } from '../../shared/domain/deliveries/test-event.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(testSubscription, [subscriptions, limits, queues], async (request, tools) => {
  const { uuid } = request.path;
  const now = tools.now();
  const stored = await seenSubscription(request, tools);
  refuseInactive(stored);
  await countAsked('test', stored, tools);
  const task = testEvent(stored, tools.newId(), now);
  await tools.queues[laneOf(stored.protocol, 'later')].send({ payload: task, group: uuid });
  return ok({ messageId: task.content.messageId });
});
