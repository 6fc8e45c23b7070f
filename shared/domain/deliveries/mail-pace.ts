import { type WorkTimes, workTimes } from './times.ts';

/** Copies of the function that sends mail: SQS lets no event source run fewer than two. */
export const mailCopies = 2;

/** Tasks that one copy takes at once. */
export const mailBatchSize = 3;

interface MailSettings {
  /** What all copies together may send in a second. */
  readonly emailsPerSecond: number;
  readonly subscriptionsPerTask: number;
}

/**
 * Milliseconds between two mails of one copy. A copy waits them out before the first mail of an invocation, too, so in
 * any second `mailCopies` copies send at most the setting: at 14 each sends 7, one in 143 ms. Two copies cannot share a
 * single mail a second: at 1, each sends one in 2 s.
 */
export function mailIntervalMs(emailsPerSecond: number): number {
  const perCopy = Math.floor(emailsPerSecond / mailCopies);
  return perCopy === 0 ? (mailCopies * 1000) / emailsPerSecond : Math.ceil(1000 / perCopy);
}

/** The last part of a function's time: no mail is begun in it. One call of SES (at most 8 s) and the records fit. */
export const mailReserveSeconds = 15;

/**
 * How long the function may run, claim a task, and the queue hide it. A task has about `subscriptionsPerTask` recipients;
 * a hash deals them out, so now and then it has twice as many and some more. With the defaults: 3 tasks x (2 x 10 + 20)
 * mails x 0.143 s = 18 s, 10 s for SES to be waited out, 15 s in reserve: 43 s. At one mail a second it is 265 s. What
 * does not fit all the same is not begun, and comes back as a task of its own.
 */
export function mailTimes({ emailsPerSecond, subscriptionsPerTask }: MailSettings): WorkTimes {
  const mails = mailBatchSize * (2 * subscriptionsPerTask + 20);
  const sendingSeconds = Math.ceil((mails * mailIntervalMs(emailsPerSecond)) / 1000);
  // Lambda's own limit is 900.
  return workTimes(Math.min(880, sendingSeconds + 10 + mailReserveSeconds));
}
