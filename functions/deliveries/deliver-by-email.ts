import { showUnsubscribe } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { deliverByEmail } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-tasks.ts';
import { mailContext, mailQuota, waitForQuota } from '../../shared/delivery/email/email-sender.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { mailRates } from '../../shared/domain/deliveries/mail-pace.ts';
import { composeUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/link-tokens.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { mailFrameOf } from '../../shared/lambda/letterhead-of.ts';
import { onAttempted, onFailed, onMailError, onQuotaSpent } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { mail } from '../../shared/storage/mail/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { type SecretVersions, signingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, messages, queues, mail, signingSecret] as const;
const secrets = cacheFor<SecretVersions>(secretMinutes);

const quota = mailQuota(ambient.now, () => onQuotaSpent(deliverByEmail.worker));

export const handler = consume(deliverByEmail, stores, async (tasks, tools) => {
  const lane = tools.queues[laneOf('email', 'later')];
  if (quota.isSpent()) return waitForQuota(tasks, lane);
  const key = unsubscribeKey((await secrets(tools.signing.versions, tools.now())).current.text);
  const context = mailContext(tools, {
    mailsPerSecond: mailRates(tools.settings.emailsPerSecond).events,
    frame: mailFrameOf(tools.settings),
    quota,
    laterLane: lane,
    footUrl: (recipient, baseUrl) =>
      `${baseUrl}${showUnsubscribe.path}?token=${composeUnsubscribeToken(recipient, key)}`,
    onError: onMailError,
    onFailed,
    onAttempted,
  });
  return deliverAll(tasks, context);
});
