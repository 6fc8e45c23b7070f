import { deliverByHttp } from '../../shared/contract/workers.ts';
import { deliverTask } from '../../shared/delivery/deliver-task.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { httpChannel } from '../../shared/delivery/http-channel.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { httpQueue, retryQueue } from '../../shared/storage/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

// Kept between invocations: its connections to receivers serve again.
let channel: ReturnType<typeof httpChannel> | undefined;

export const handler = consume(
  deliverByHttp,
  [subscriptions, deliveries, retryQueue, httpQueue],
  (jobs, tools, isRepeated) => {
    channel ??= httpChannel({ timeoutSeconds: tools.settings.receiverTimeoutSeconds });
    const engine = engineOf(tools, { queue: tools.http, channel, onFailed });
    return Promise.allSettled(jobs.map((task, index) => deliverTask(task, isRepeated[index] ?? false, engine)));
  },
);
