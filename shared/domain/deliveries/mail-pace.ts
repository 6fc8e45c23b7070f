import { maxBatchAttempts } from './shards.ts';
import { type DeliveryTimes, recordSeconds, workTimes } from './times.ts';

/** The waits in milliseconds after SES throttles an email for the first, second and third time. */
export const throttleWaitsMs: readonly number[] = [1000, 2000, 4000];

export const mailCopies = 2;

export const mailBatchSize = 6;

// Confirmation requests get one seventh of the sending rate, so that a flood of requests does not delay events.
const confirmationShare = 7;

/**
 * Divides the sending rate between events and confirmation requests. For example, of 14 emails per second, 12 are for
 * events and 2 for confirmation requests.
 */
export function mailRates(emailsPerSecond: number): { readonly events: number; readonly confirmations: number } {
  const confirmations = emailsPerSecond / confirmationShare;
  return { events: emailsPerSecond - confirmations, confirmations };
}

/**
 * Returns the interval in milliseconds between two emails sent by one instance of the function. Each instance also
 * waits before its first email, so that all instances together never exceed `mailsPerSecond`. For example, at 12 emails
 * per second, each of 2 instances sends an email every 167 ms.
 */
export function mailIntervalMs(mailsPerSecond: number): number {
  const perCopy = Math.floor(mailsPerSecond / mailCopies);
  return Math.ceil(perCopy === 0 ? (mailCopies * 1000) / mailsPerSecond : 1000 / perCopy);
}

const sesSeconds = 8;

/** The number of seconds reserved at the end of an invocation for one SES call and for recording outcomes. */
export const mailReserveSeconds = sesSeconds + recordSeconds;

/**
 * Returns the time limits of the email functions. By default, an invocation takes up to 79 s: 41 s for 240 emails, 10 s
 * for SES throttling, and 28 s in reserve. At one email per second, an invocation takes up to 599 s. Emails that cannot
 * be sent in time become single deliveries.
 */
export function mailTimes({ emailsPerSecond }: { readonly emailsPerSecond: number }): DeliveryTimes {
  const mails = mailBatchSize * maxBatchAttempts;
  const sendingSeconds = Math.ceil((mails * mailIntervalMs(mailRates(emailsPerSecond).events)) / 1000);
  // A Lambda function can run for at most 900 s.
  return { ...workTimes(Math.min(880, sendingSeconds + 10 + mailReserveSeconds)), attemptSeconds: sesSeconds };
}
