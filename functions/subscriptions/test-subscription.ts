import { testSubscription } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { countRequest, visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { testEvent } from '../../shared/domain/deliveries/test-event.ts';
import { rejectInactive } from '../../shared/domain/subscriptions/client-view.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = serve(testSubscription, [subscriptions, limits, queues], async (request, tools) => {
  const { uuid } = request.path;
  const now = tools.now();
  const stored = await visibleSubscription(request, tools);
  rejectInactive(stored);
  await countRequest('test', stored, tools);
  const task = testEvent(stored, tools.newId(), now);
  await tools.queues[laneOf(stored.protocol, 'later')].send({ payload: task, group: uuid });
  return ok({ messageId: task.content.messageId });
});
