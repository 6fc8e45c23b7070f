import { showStopRequests } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { requestConfirmationByEmail } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-tasks.ts';
import type { Sender } from '../../shared/delivery/delivery-context.ts';
import { mailContext, mailQuota, waitForQuota } from '../../shared/delivery/email/email-sender.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { mailRates } from '../../shared/domain/deliveries/mail-pace.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { declinedId, stopRequestsToken } from '../../shared/domain/subscriptions/link-tokens.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { mailFrameOf } from '../../shared/lambda/letterhead-of.ts';
import { onAttempted, onFailed, onMailError, onQuotaSpent } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { mail } from '../../shared/storage/mail/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, messages, queues, mail, limits, namingSecret] as const;
const secret = cacheFor<string>(secretMinutes);

// The state of the quota is kept between invocations of this function instance.
const quota = mailQuota(ambient.now, () => onQuotaSpent(requestConfirmationByEmail.worker));

export const handler = consume(requestConfirmationByEmail, stores, async (tasks, tools) => {
  const lane = tools.queues[laneOf('email', 'confirmations')];
  if (quota.isSpent()) return waitForQuota(tasks, lane);
  const naming = await secret(tools.naming.text, tools.now());
  const limitsKey = namingKey(naming, 'limits');
  const context = mailContext(tools, {
    mailsPerSecond: mailRates(tools.settings.emailsPerSecond).confirmations,
    frame: mailFrameOf(tools.settings),
    quota,
    laterLane: lane,
    footUrl: ({ address }, baseUrl) => `${baseUrl}${showStopRequests.path}?token=${stopRequestsToken(naming, address)}`,
    onError: onMailError,
    onFailed,
    onAttempted,
  });
  const isDeclined = (address: string) => tools.limits.declinesRequests(declinedId(limitsKey, address));
  return deliverAll(tasks, { ...context, sender: unlessDeclined(context.sender, isDeclined) });
});

/**
 * Returns a sender that skips an address if its owner has declined confirmation requests. The owner may decline even
 * after the request was queued.
 */
const unlessDeclined = (sender: Sender, isDeclined: (address: string) => Promise<boolean>): Sender => ({
  deliver: async (message, recipient) =>
    (await isDeclined(recipient.address)) ? { class: 'declined' } : sender.deliver(message, recipient),
});
