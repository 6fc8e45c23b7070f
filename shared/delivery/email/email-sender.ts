import { setTimeout as sleep } from 'node:timers/promises';
import { namesOf } from '../../contract/deployment-names.ts';
import { readMailError } from '../../domain/deliveries/mail-error.ts';
import { mailIntervalMs, mailReserveSeconds, mailTimes, throttleWaitsMs } from '../../domain/deliveries/mail-pace.ts';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { timeLeftMs } from '../../lambda/time-left.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext, type Sender } from '../delivery-context.ts';
import type { Tools } from '../tools.ts';
import { mailboxOf, writeMail } from './write-mail.ts';

/** The pause after SES reports that the 24-hour quota is used up. SQS does not allow a longer delay. */
export const quotaWaitSeconds = 900;

/**
 * Remembers in one function instance that the 24-hour SES quota is used up. Other instances detect this when they send
 * emails. `onSpent` is called at most once per `quotaWaitSeconds`, regardless of how many emails are being sent.
 */
export function mailQuota(now: () => number, onSpent: () => void) {
  let spentUntil = 0;
  return {
    markSpent(): void {
      if (now() >= spentUntil) onSpent();
      spentUntil = now() + quotaWaitSeconds * 1000;
    },
    isSpent: (): boolean => now() < spentUntil,
  };
}

/**
 * Sends unchanged tasks back to their lane with a delay of `quotaWaitSeconds`. Call this function before any of their
 * emails is sent.
 */
export const waitForQuota = (
  tasks: readonly DeliveryTask[],
  lane: DeliveryContext['laterLane'],
): Promise<PromiseSettledResult<void>[]> => {
  const back = lane.sendMany(
    tasks.map((task) => ({
      payload: task,
      group: task.isSingle ? (task.subscriptionUuids[0] ?? task.taskKey) : task.content.topicUuid,
      delaySeconds: quotaWaitSeconds,
    })),
  );
  return Promise.allSettled(tasks.map(() => back));
};

interface Pace {
  readonly intervalMs: number;
  /** The latest time at which an email may be sent; epoch milliseconds. */
  readonly latest: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * Allows one email per `intervalMs`. Even the first email waits, because another function instance may have just sent
 * an email.
 */
export function mailPacer({ intervalMs, latest, now, sleep }: Pace) {
  let last = now();
  return {
    /** Waits until the next email may be sent. Returns false at once if this time would be later than `latest`. */
    async turn(): Promise<boolean> {
      const at = Math.max(now(), last + intervalMs);
      if (at > latest) return false;
      last = at;
      await sleep(Math.max(0, at - now()));
      return true;
    },
    delay(milliseconds: number): void {
      last = Math.max(last, now() + milliseconds - intervalMs);
    },
  };
}

type MailTools = DeliveryTools & Tools<'mail:send', 'emailsPerSecond' | 'stage' | 'repeatUnknownMails'>;

export interface EmailTools {
  readonly mailer: MailTools['mail'];
  readonly pacer: ReturnType<typeof mailPacer>;
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
  const { mailer, pacer, quota, configurationSet, frame, retriesUnknown, footUrl, onError } = tools;
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
          if (refusal === 'unknown') return { class: 'unknown', isLeft: !retriesUnknown };
          return refusal === 'recipient' ? { class: 'email' } : notSent;
        }
      }
    },
  };
}

type LaneOptions = Pick<DeliveryContext, 'laterLane' | 'onFailed' | 'onAttempted'> &
  Pick<EmailTools, 'footUrl' | 'onError' | 'quota' | 'frame'> & { readonly mailsPerSecond: number };

/** Creates the context for one invocation that sends emails. The sending rate is limited to the share of the lane. */
export function mailContext(tools: MailTools, options: LaneOptions): DeliveryContext {
  const { now, settings } = tools;
  const { functionSeconds, ...times } = mailTimes(settings);
  // Earlier work in this invocation, such as reading a secret, may have used some of the available time.
  const leftMs = Math.min(functionSeconds * 1000, timeLeftMs() ?? Number.POSITIVE_INFINITY);
  const latest = now() + leftMs - mailReserveSeconds * 1000;
  const sender = emailSender({
    ...options,
    mailer: tools.mail,
    pacer: mailPacer({ intervalMs: mailIntervalMs(options.mailsPerSecond), latest, now, sleep }),
    configurationSet: namesOf(settings.stage).configurationSet,
    retriesUnknown: settings.repeatUnknownMails,
  });
  return deliveryContext(tools, { ...options, sender, ...times });
}
