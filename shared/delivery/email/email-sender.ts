import { readMailError } from '../../domain/deliveries/mail-error.ts';
import { throttleWaitsMs } from '../../domain/deliveries/mail-pace.ts';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import type { MailFrame } from '../../presentation/mail-frame.ts';
import type { mail } from '../../storage/mail/store.ts';
import type { Sender } from '../sender.ts';
import type { MailRecipient } from './mail-content.ts';
import { type MailQuota, quotaWaitSeconds } from './mail-quota.ts';
import type { Pacer } from './pacer.ts';
import { mailboxOf, writeMail } from './write-mail.ts';

export interface EmailTools {
  readonly mailer: ReturnType<typeof mail.permissions.send>;
  readonly pacer: Pacer;
  readonly quota: MailQuota;
  readonly configurationSet: string;
  readonly frame: MailFrame;
  /** Whether a mail is sent again if the response to it was lost. */
  readonly retriesUnknown: boolean;
  /** The link in the mail's footer: to unsubscribe, or to stop confirmation requests. */
  readonly footUrl: (recipient: MailRecipient, baseUrl: string) => string;
  /** Called for every mail that was not accepted. `isOurs` says whether the reason is ours. */
  readonly onError: (
    error: unknown,
    ids: { readonly messageId: string; readonly subscription: string },
    isOurs: boolean,
  ) => void;
}

// An internal limit or error delayed this mail: retry it soon.
const notSent: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: 60 };

// Retry when the quota may be available again.
const noQuota: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: quotaWaitSeconds };

/**
 * Delivers by email. A mail that SES accepts is delivered.
 * - SES throttles: all mails wait, and this mail is sent again.
 * - SES rejects the recipient: the attempt has failed.
 * - SES rejects for a reason of ours, such as an unverified sender: the mail is postponed, so that no policy is used
 * up.
 * - The daily quota is spent: nothing is sent until it may be available again.
 * - The response is lost: the attempt fails with the class `unknown`, and is the last one unless the setting allows a
 * retry.
 */
export function emailSender(tools: EmailTools): Sender<MailRecipient> {
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
