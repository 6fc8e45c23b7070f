import { SESServiceException, type SendRawEmailCommand } from '@aws-sdk/client-ses';

export interface SesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly mailsPerSecond: number;
  /** Mails in any `quotaHours`; no limit without. */
  readonly dailyQuota?: number;
  /** Over how long the quota is counted: 24 hours unless a simulation is in a hurry. */
  readonly quotaHours?: number;
  /** Hears of each mail that is taken. */
  readonly onMail: (address: string, raw: Uint8Array) => void;
  /** Hears of each that is refused. */
  readonly onRefusal?: (why: 'rate' | 'quota') => void;
}

const hourMs = 3_600_000;

const throttled = (message: string): SESServiceException =>
  new SESServiceException({ name: 'Throttling', $fault: 'client', message, $metadata: { httpStatusCode: 400 } });

/** SES in memory: it takes mails at its rate, and so many in any 24 hours ("Sending quotas" in its Developer Guide). */
export class MemorySes {
  readonly #options: SesOptions;
  #left: number;
  #at: number;
  // Mails by the minute in which they were taken, the oldest first.
  readonly #minutes: { readonly minute: number; count: number }[] = [];
  #taken = 0;

  constructor(options: SesOptions) {
    this.#options = options;
    this.#left = options.mailsPerSecond;
    this.#at = options.now();
  }

  async send(command: object): Promise<object> {
    const { now, mailsPerSecond, dailyQuota = Number.POSITIVE_INFINITY, onMail, onRefusal } = this.#options;
    const { Destinations = [], RawMessage } = (command as SendRawEmailCommand).input;
    this.#left = Math.min(mailsPerSecond, this.#left + ((now() - this.#at) / 1000) * mailsPerSecond);
    this.#at = now();
    this.#forget();
    if (this.#taken >= dailyQuota) {
      onRefusal?.('quota');
      throw throttled('Daily message quota exceeded.');
    }
    if (this.#left < 1) {
      onRefusal?.('rate');
      throw throttled('Maximum sending rate exceeded.');
    }
    this.#left -= 1;
    this.#keep();
    for (const address of Destinations) onMail(address, RawMessage?.Data ?? new Uint8Array());
    return { MessageId: `mail-${this.#at}-${this.#taken}` };
  }

  #keep(): void {
    this.#taken += 1;
    const minute = Math.floor(this.#at / 60_000);
    const last = this.#minutes.at(-1);
    if (last?.minute === minute) last.count += 1;
    else this.#minutes.push({ minute, count: 1 });
  }

  #forget(): void {
    const oldest = Math.floor((this.#at - (this.#options.quotaHours ?? 24) * hourMs) / 60_000);
    while ((this.#minutes[0]?.minute ?? Number.POSITIVE_INFINITY) < oldest)
      this.#taken -= this.#minutes.shift()?.count ?? 0;
  }
}
