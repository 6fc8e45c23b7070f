import { deliverByHttp } from '../../shared/contract/workers.ts';
import { deliverTask } from '../../shared/delivery/deliver-task.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { httpChannel } from '../../shared/delivery/http-channel.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { httpQueue, retryQueue } from '../../shared/storage/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

// Kept between invocations: its connections to receivers serve again.
let channel: ReturnType<typeof httpChannel> | undefined;

export const handler = consume(deliverByHttp, [subscriptions, deliveries, retryQueue, httpQueue], (jobs, tools) => {
  channel ??= httpChannel({ timeoutSeconds: tools.settings.receiverTimeoutSeconds });
  const engine = engineOf(tools, tools.http, channel);
  return Promise.allSettled(jobs.map((task) => deliverTask(task, engine)));
});
