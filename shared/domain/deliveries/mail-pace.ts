import { mostTogether } from './plan-tasks.ts';
import { type DeliveryTimes, workTimes } from './times.ts';

/** Copies of the function that sends mail: SQS lets no event source run fewer than two. */
export const mailCopies = 2;

/** Tasks that one copy takes at once: what a copy does beside waiting for its turn is shared by so many mails at least. */
export const mailBatchSize = 6;

// Requests to confirm get one mail in so many: a flood of them must not hold up an event.
const confirmationShare = 7;

/** How the mails that may be sent in a second are divided: with 14 a second, 12 for events and 2 for requests to confirm. */
export function mailRates(emailsPerSecond: number): { readonly events: number; readonly confirmations: number } {
  const confirmations = emailsPerSecond / confirmationShare;
  return { events: emailsPerSecond - confirmations, confirmations };
}

interface MailSettings {
  /** What all copies together may send in a second. */
  readonly emailsPerSecond: number;
  readonly subscriptionsPerTask: number;
}

/**
 * Milliseconds between two mails of one copy of a lane whose copies together may send `mailsPerSecond`. A copy waits them
 * out before the first mail of an invocation, too, so in any second `mailCopies` copies send at most that: of 12 each
 * sends 6, one in 167 ms. Two copies cannot share less than a mail a second each: of 1, each sends one in 2 s.
 */
export function mailIntervalMs(mailsPerSecond: number): number {
  const perCopy = Math.floor(mailsPerSecond / mailCopies);
  return Math.ceil(perCopy === 0 ? (mailCopies * 1000) / mailsPerSecond : 1000 / perCopy);
}

/** One call of SES takes no longer. */
const sesSeconds = 8;

/** The last part of a function's time: no mail is begun in it. One call of SES (at most 8 s) and the records fit. */
export const mailReserveSeconds = 15;

/**
 * How long the function may run, claim a task, and the queue hide it. A task has about `subscriptionsPerTask` recipients;
 * a hash deals them out, so now and then it has twice as many and some more, `mostTogether` at the most. With the defaults: 6
 * tasks x 40 mails x 0.167 s = 41 s, 10 s for SES to be waited out, 15 s in reserve: 66 s. At one mail a second it is 586 s. What
 * does not fit all the same is not begun, and comes back as a task of its own. A request to confirm is one mail, so that
 * its lane is done sooner.
 */
export function mailTimes({ emailsPerSecond, subscriptionsPerTask }: MailSettings): DeliveryTimes {
  const mails = mailBatchSize * Math.min(mostTogether, 2 * subscriptionsPerTask + 20);
  const sendingSeconds = Math.ceil((mails * mailIntervalMs(mailRates(emailsPerSecond).events)) / 1000);
  // Lambda's own limit is 900.
  return { ...workTimes(Math.min(880, sendingSeconds + 10 + mailReserveSeconds)), attemptSeconds: sesSeconds };
}
