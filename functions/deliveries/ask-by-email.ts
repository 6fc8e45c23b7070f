import { setTimeout as sleep } from 'node:timers/promises';
import { showNeverAsk } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { askByEmail } from '../../shared/contract/workers.ts';
import { mailContext } from '../../shared/delivery/email/mail-context.ts';
import { mailQuota, waitForQuota } from '../../shared/delivery/email/mail-quota.ts';
import { unlessDeclined } from '../../shared/delivery/email/unless-declined.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { mailRates } from '../../shared/domain/deliveries/mail-pace.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { declinedId, neverAskToken } from '../../shared/domain/subscriptions/never-ask.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { mailFrameOf } from '../../shared/lambda/mail-frame-of.ts';
import { onAttempted } from '../../shared/lambda/on-attempted.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { onMailFault, onQuotaSpent } from '../../shared/lambda/on-mail-fault.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { mail } from '../../shared/storage/mail/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, messages, queues, mail, limits, namingSecret] as const;
const secret = cacheFor<string>(secretMinutes);

// As long as this copy lives.
const quota = mailQuota(ambient.now, () => onQuotaSpent(askByEmail.worker));

export const handler = consume(askByEmail, stores, async (tasks, tools) => {
  const lane = tools.queues[laneOf('email', 'confirmations')];
  if (quota.isSpent()) return waitForQuota(tasks, lane);
  const naming = await secret(tools.naming.text, tools.now());
  const limitsKey = namingKey(naming, 'limits');
  const context = mailContext(tools, {
    mailsPerSecond: mailRates(tools.settings.emailsPerSecond).confirmations,
    sleep,
    frame: mailFrameOf(tools.settings),
    quota,
    laterLane: lane,
    footUrl: ({ address }, baseUrl) => `${baseUrl}${showNeverAsk.path}?token=${neverAskToken(naming, address)}`,
    onFault: onMailFault,
    onFailed,
    onAttempted,
  });
  const isDeclined = (address: string) => tools.limits.isDeclined(declinedId(limitsKey, address));
  return deliverAll(tasks, { ...context, sender: unlessDeclined(context.sender, isDeclined) });
});
