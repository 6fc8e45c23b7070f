import { deliverByEmail } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-task.ts';
import { emailChannel, mail } from '../../shared/delivery/email-channel.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { emailQueue, retryQueue } from '../../shared/storage/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

const stores = [subscriptions, deliveries, retryQueue, emailQueue, mail] as const;

export const handler = consume(deliverByEmail, stores, (jobs, tools, isRepeated) => {
  const channel = emailChannel(tools.mail, (error) => logFault('SES refused a mail', error, {}));
  const engine = engineOf(tools, { queue: tools.email, channel, onFailed });
  return deliverAll(jobs, isRepeated, engine);
});
