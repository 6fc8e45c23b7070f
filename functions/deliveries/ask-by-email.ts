import { setTimeout as sleep } from 'node:timers/promises';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { askByEmail } from '../../shared/contract/workers.ts';
import { mailContext } from '../../shared/delivery/email/mail-context.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { mailRates } from '../../shared/domain/deliveries/mail-pace.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { onAttempted } from '../../shared/lambda/on-attempted.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { mail } from '../../shared/storage/mail/mail.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, queues, mail] as const;

export const handler = consume(askByEmail, stores, (tasks, tools) => {
  const context = mailContext(tools, {
    mailsPerSecond: mailRates(tools.settings.emailsPerSecond).confirmations,
    sleep,
    laterLane: tools.queues[laneOf('email', 'confirmations')],
    // Who has not confirmed yet has nothing to leave.
    unsubscribeUrl: () => undefined,
    onFault: (error, ids, isOurs) => logFault(isOurs ? faultLogged : 'SES refused a mail', error, ids),
    onFailed,
    onAttempted,
  });
  return deliverAll(tasks, context);
});
