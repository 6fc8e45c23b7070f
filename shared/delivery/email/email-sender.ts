import { throttleWaitsMs } from '../../domain/deliveries/mail-turn.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';
import type { mail } from '../../storage/mail/mail.ts';
import type { Recipient, Sender } from '../engine/sender.ts';
import type { Pacer } from './pacer.ts';
import { mailboxOf, writeMail } from './write-mail.ts';

/** Whoever gets mail can leave by it: that takes the generation of the topic that the subscription belongs to. */
interface MailRecipient extends Recipient {
  readonly generation: string;
}

export interface EmailTools {
  readonly mailer: ReturnType<typeof mail.permissions.send>;
  readonly pacer: Pacer;
  readonly configurationSet: string;
  /** The address of the link at a mail's foot: to leave, or never to be asked again. */
  readonly footUrl: (recipient: MailRecipient, baseUrl: string) => string;
  /** Hears of every mail that was not taken, with its ids, and whether the reason lies with us. */
  readonly onFault: (
    error: unknown,
    ids: { readonly messageId: string; readonly subscription: string },
    isOurs: boolean,
  ) => void;
}

// SES's names for "too fast", in its first and second API, and its own faults: the mail was not taken.
const PASSING =
  /^(Throttl\w*|TooManyRequests\w*|LimitExceeded\w*|RequestLimitExceeded|SlowDown|ServiceUnavailable\w*|InternalFailure|InternalServiceError\w*)$/;

const isPassing = (error: unknown): boolean => PASSING.test(error instanceof Error ? error.name : '');

/**
 * SES refuses a mail for its recipient's sake by these two only; the first also where our own sender is not verified.
 * Everything else (a paused account, a missing grant or configuration set) is ours, and ends nobody's policy.
 */
function isRecipients(error: unknown): boolean {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  return name === 'InvalidParameterValue' || (name === 'MessageRejected' && !/not verified/i.test(message));
}

// A limit or fault of ours held this mail up: it comes again soon.
const notSent: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: 60 };

/**
 * Delivers by e-mail, one mail a turn: accepted by SES is delivered. When SES says "too fast", everybody waits and this
 * mail is tried again; SES has not taken it, so nothing is sent twice. A mail refused for its recipient's sake is a failed
 * attempt. One refused for a reason of ours (an unverified sender, a limit) is postponed, so that nobody's policy ends by
 * it. `onFault` hears of both.
 */
export function emailSender({ mailer, pacer, configurationSet, footUrl, onFault }: EmailTools): Sender<MailRecipient> {
  return {
    async deliver(message, recipient) {
      const link = footUrl(recipient, message.baseUrl);
      const raw = await writeMail(message, recipient, mailer.sender, link);
      const marks = { configurationSet, subscription: recipient.uuid, topic: message.headers['topic-id'] ?? '' };
      for (let tries = 0; ; tries++) {
        if (!(await pacer.turn())) return notSent;
        try {
          await mailer.send(raw, mailboxOf(recipient.address), marks);
          return { class: 'delivered' };
        } catch (error) {
          const waitMs = throttleWaitsMs[tries];
          if (isPassing(error) && waitMs !== undefined) {
            pacer.holdBack(waitMs);
            continue;
          }
          const isOurs = !isRecipients(error);
          const ids = { messageId: message.messageId, subscription: recipient.uuid };
          onFault(error, ids, isOurs && !isPassing(error));
          return isOurs ? notSent : { class: 'email' };
        }
      }
    },
  };
}
