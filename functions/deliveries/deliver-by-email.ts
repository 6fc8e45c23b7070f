import { setTimeout as sleep } from 'node:timers/promises';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { mailIntervalMs, mailReserveSeconds, mailTimes } from '../../shared/contract/mail-pace.ts';
import { deliverByEmail } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-task.ts';
import { emailChannel, mail } from '../../shared/delivery/email-channel.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { pacer } from '../../shared/delivery/pacer.ts';
import { composeUnsubscribeToken, unsubscribeKey } from '../../shared/domain/unsubscribe-token.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { keep } from '../../shared/lambda/keep.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { emailQueue, retryQueue } from '../../shared/storage/queues.ts';
import { keyMinutes, type SecretVersions, signingSecret } from '../../shared/storage/secrets.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

const stores = [subscriptions, deliveries, retryQueue, emailQueue, mail, signingSecret] as const;
const secrets = keep<SecretVersions>(keyMinutes);

export const handler = consume(deliverByEmail, stores, async (jobs, tools, isRepeated) => {
  const { now, settings } = tools;
  const { functionSeconds, leaseSeconds } = mailTimes(settings);
  const latest = now() + (functionSeconds - mailReserveSeconds) * 1000;
  const turns = pacer({ intervalMs: mailIntervalMs(settings.emailsPerSecond), latest, now, sleep });
  const key = unsubscribeKey((await secrets(tools.signing.versions, now())).current.text);
  const channel = emailChannel({
    mailer: tools.mail,
    pacer: turns,
    configurationSet: settings.emailConfigurationSet,
    unsubscribeUrl: (recipient, baseUrl) => `${baseUrl}/unsubscribe?token=${composeUnsubscribeToken(recipient, key)}`,
    onFault: (error, ids, isOurs) => logFault(isOurs ? faultLogged : 'SES refused a mail', error, ids),
  });
  const engine = engineOf(tools, { queue: tools.email, channel, onFailed, leaseSeconds });
  return deliverAll(jobs, isRepeated, engine);
});
