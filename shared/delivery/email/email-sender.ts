import { readMailRefusal } from '../../domain/deliveries/mail-refusal.ts';
import { throttleWaitsMs } from '../../domain/deliveries/mail-turn.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';
import type { mail } from '../../storage/mail/store.ts';
import type { Sender } from '../engine/sender.ts';
import type { MailFrame } from './mail-frame.ts';
import { type MailQuota, quotaWaitSeconds } from './mail-quota.ts';
import type { MailRecipient } from './mail-recipient.ts';
import type { Pacer } from './pacer.ts';
import { mailboxOf, writeMail } from './write-mail.ts';

export interface EmailTools {
  readonly mailer: ReturnType<typeof mail.permissions.send>;
  readonly pacer: Pacer;
  readonly quota: MailQuota;
  readonly configurationSet: string;
  readonly frame: MailFrame;
  /** Whether a mail whose answer was lost is sent again, or taken for sent. */
  readonly repeatsUnknown: boolean;
  /** The address of the link at a mail's foot: to leave, or never to be asked again. */
  readonly footUrl: (recipient: MailRecipient, baseUrl: string) => string;
  /** Hears of every mail that was not taken, with its ids, and whether the reason lies with us. */
  readonly onFault: (
    error: unknown,
    ids: { readonly messageId: string; readonly subscription: string },
    isOurs: boolean,
  ) => void;
}

// A limit or fault of ours held this mail up: it comes again soon.
const notSent: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: 60 };

// It comes again when the quota may be there again.
const noQuota: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: quotaWaitSeconds };

/**
 * Delivers by e-mail, one mail a turn: accepted by SES is delivered. When SES says "too fast", everybody waits and this
 * mail is tried again; SES has not taken it, so nothing is sent twice. A mail refused for its recipient's sake is a failed
 * attempt. One refused for a reason of ours (an unverified sender, a limit) is postponed, so that nobody's policy ends by
 * it. `onFault` hears of both. When the mails of 24 hours are spent nobody sends any more until they are there again. Where the
 * answer was lost the mail may be on its way: it is a failed attempt of class `unknown`, or, by the setting, the last.
 */
export function emailSender(tools: EmailTools): Sender<MailRecipient> {
  const { mailer, pacer, quota, configurationSet, frame, repeatsUnknown, footUrl, onFault } = tools;
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
          const refusal = readMailRefusal(error);
          const waitMs = throttleWaitsMs[tries];
          if (refusal === 'rate' && waitMs !== undefined) {
            pacer.holdBack(waitMs);
            continue;
          }
          const isOurs = refusal === 'ours';
          onFault(error, { messageId, subscription }, isOurs);
          if (refusal === 'quota') {
            quota.spend();
            return noQuota;
          }
          if (refusal === 'unknown') return { class: 'unknown', isLeft: !repeatsUnknown };
          return refusal === 'recipient' ? { class: 'email' } : notSent;
        }
      }
    },
  };
}
