import { readMailError } from '../../domain/deliveries/mail-error.ts';
import { throttleWaitsMs } from '../../domain/deliveries/mail-pace.ts';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { MailFrame } from '../../presentation/mail-frame.ts';
import type { mail } from '../../storage/mail/store.ts';
import type { Sender } from '../sender.ts';
import { type mailQuota, quotaWaitSeconds } from './mail-quota.ts';
import type { pacer } from './pacer.ts';
import { mailboxOf, writeMail } from './write-mail.ts';

export interface EmailTools {
  readonly mailer: ReturnType<typeof mail.permissions.send>;
  readonly pacer: ReturnType<typeof pacer>;
  readonly quota: ReturnType<typeof mailQuota>;
  readonly configurationSet: string;
  readonly frame: MailFrame;
  /** Whether an email is sent again if SES did not respond. */
  readonly retriesUnknown: boolean;
  /** Returns the link in the email's footer, with which the recipient unsubscribes or stops confirmation requests. */
  readonly footUrl: (recipient: StoredSubscription, baseUrl: string) => string;
  /** Called for each email that SES did not accept. `isOurs`: the cause is internal, such as a missing permission. */
  readonly onError: (
    error: unknown,
    ids: { readonly messageId: string; readonly subscription: string },
    isOurs: boolean,
  ) => void;
}

// An internal limit or error prevented the email: retry after a minute.
const notSent: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: 60 };

// The daily SES quota is used up: retry after `quotaWaitSeconds`.
const noQuota: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: quotaWaitSeconds };

/**
 * Delivers by email. An email that SES accepts counts as delivered.
 * - SES throttles: all emails wait, and this email is sent again.
 * - SES rejects the recipient: the attempt fails.
 * - SES rejects the email for another reason, such as an unverified sender: the email is postponed and uses no retry.
 * - The daily quota is used up: no email is sent until the quota may be available again.
 * - The SES response is lost: the attempt fails as `unknown`, and is not retried unless `retriesUnknown` is set.
 */
export function emailSender(tools: EmailTools): Sender {
  const { mailer, pacer, quota, configurationSet, frame, retriesUnknown: repeatsUnknown, footUrl, onError } = tools;
  return {
    async deliver(message, recipient) {
      const link = footUrl(recipient, message.baseUrl);
      const raw = await writeMail(frame, message, recipient, mailer.sender, link);
      const topic = message.headers['topic-id'] ?? '';
      const { uuid: subscription, generation } = recipient;
      const { type, messageId } = message;
      const marks = { configurationSet, subscription, topic, generation, message: messageId, type };
      for (let tries = 0; ; tries++) {
        if (!(await pacer.turn())) return notSent;
        if (quota.isSpent()) return noQuota;
        try {
          await mailer.send(raw, mailboxOf(recipient.address), marks);
          return { class: 'delivered' };
        } catch (error) {
          const refusal = readMailError(error);
          const waitMs = throttleWaitsMs[tries];
          if (refusal === 'rate' && waitMs !== undefined) {
            pacer.delay(waitMs);
            continue;
          }
          const isOurs = refusal === 'ours';
          onError(error, { messageId, subscription }, isOurs);
          if (refusal === 'quota') {
            quota.markSpent();
            return noQuota;
          }
          if (refusal === 'unknown') return { class: 'unknown', isLeft: !repeatsUnknown };
          return refusal === 'recipient' ? { class: 'email' } : notSent;
        }
      }
    },
  };
}
