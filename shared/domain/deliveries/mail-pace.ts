import { maxBatchAttempts } from './shards.ts';
import { type DeliveryTimes, workTimes } from './times.ts';

/**
 * Returns when a copy may send its next mail (epoch milliseconds).
 * @returns undefined if that is after `latest`
 */
export function nextTurn(turn: {
  readonly last: number;
  readonly now: number;
  readonly intervalMs: number;
  readonly latest: number;
}): number | undefined {
  const at = Math.max(turn.now, turn.last + turn.intervalMs);
  return at <= turn.latest ? at : undefined;
}

/** Waits after SES reports "too fast" for the first, second and third time. */
export const throttleWaitsMs: readonly number[] = [1000, 2000, 4000];

export const mailCopies = 2;

export const mailBatchSize = 6;

// A flood of confirmation requests must not delay events.
const confirmationShare = 7;

/** Divides the sending rate: of 14 mails a second, 12 are for events and 2 for confirmation requests. */
export function mailRates(emailsPerSecond: number): { readonly events: number; readonly confirmations: number } {
  const confirmations = emailsPerSecond / confirmationShare;
  return { events: emailsPerSecond - confirmations, confirmations };
}

interface MailSettings {
  readonly emailsPerSecond: number;
}

/**
 * Milliseconds between two mails of one copy. Each copy also waits before its first mail, so that all copies together
 * never exceed `mailsPerSecond`: at 12, each of two copies sends one mail in 167 ms; at 1, one in 2 s.
 */
export function mailIntervalMs(mailsPerSecond: number): number {
  const perCopy = Math.floor(mailsPerSecond / mailCopies);
  return Math.ceil(perCopy === 0 ? (mailCopies * 1000) / mailsPerSecond : 1000 / perCopy);
}

const sesSeconds = 8;

/** No mail starts in this last part of a function's time: one SES call (8 s) and the records fit in it. */
export const mailReserveSeconds = 15;

/**
 * The times of the mail functions. With the defaults: 6 tasks x 40 mails x 0.167 s = 41 s, 10 s of SES throttling and
 * 15 s in reserve make 66 s. At one mail a second it is 586 s. The rest of the mails become single deliveries.
 */
export function mailTimes({ emailsPerSecond }: MailSettings): DeliveryTimes {
  const mails = mailBatchSize * maxBatchAttempts;
  const sendingSeconds = Math.ceil((mails * mailIntervalMs(mailRates(emailsPerSecond).events)) / 1000);
  // Lambda allows 900 s.
  return { ...workTimes(Math.min(880, sendingSeconds + 10 + mailReserveSeconds)), attemptSeconds: sesSeconds };
}
