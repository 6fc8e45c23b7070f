import { setTimeout as sleep } from 'node:timers/promises';
import { showUnsubscribe } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { deliverByEmail } from '../../shared/contract/workers.ts';
import { mailContext } from '../../shared/delivery/email/mail-context.ts';
import { mailQuota, waitForQuota } from '../../shared/delivery/email/mail-quota.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { mailRates } from '../../shared/domain/deliveries/mail-pace.ts';
import { composeUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/unsubscribe-token.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { mailFrameOf } from '../../shared/lambda/mail-frame-of.ts';
import { onAttempted } from '../../shared/lambda/on-attempted.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { onMailFault, onQuotaSpent } from '../../shared/lambda/on-mail-fault.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { mail } from '../../shared/storage/mail/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { type SecretVersions, signingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, messages, queues, mail, signingSecret] as const;
const secrets = cacheFor<SecretVersions>(secretMinutes);

// As long as this copy lives.
const quota = mailQuota(ambient.now, () => onQuotaSpent(deliverByEmail.worker));

export const handler = consume(deliverByEmail, stores, async (tasks, tools) => {
  const lane = tools.queues[laneOf('email', 'later')];
  if (quota.isSpent()) return waitForQuota(tasks, lane);
  const key = unsubscribeKey((await secrets(tools.signing.versions, tools.now())).current.text);
  const context = mailContext(tools, {
    mailsPerSecond: mailRates(tools.settings.emailsPerSecond).events,
    sleep,
    frame: mailFrameOf(tools.settings),
    quota,
    laterLane: lane,
    footUrl: (recipient, baseUrl) =>
      `${baseUrl}${showUnsubscribe.path}?token=${composeUnsubscribeToken(recipient, key)}`,
    onFault: onMailFault,
    onFailed,
    onAttempted,
  });
  return deliverAll(tasks, context);
});
