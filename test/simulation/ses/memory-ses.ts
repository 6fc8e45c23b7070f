import { SESServiceException, type SendRawEmailCommand } from '@aws-sdk/client-ses';

export interface SesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly mailsPerSecond: number;
  /** The maximum number of emails per 24 hours. The default is unlimited. */
  readonly dailyQuota?: number;
  /** Called for each accepted email. */
  readonly onMail: (address: string, raw: Uint8Array) => void;
  /** Called for each rejected email. */
  readonly onRejected?: (why: 'rate' | 'quota') => void;
}

const dayMs = 24 * 3_600_000;

const throttled = (message: string): SESServiceException =>
  new SESServiceException({ name: 'Throttling', $fault: 'client', message, $metadata: { httpStatusCode: 400 } });

/**
 * An in-memory simulation of SES, with a sending rate and a quota ("Sending quotas" in the Amazon SES Developer Guide).
 */
export class MemorySes {
  readonly #options: SesOptions;
  #left: number;
  #at: number;
  // The number of accepted emails per minute, ordered from oldest to newest.
  readonly #minutes: { readonly minute: number; count: number }[] = [];
  #accepted = 0;

  constructor(options: SesOptions) {
    this.#options = options;
    this.#left = options.mailsPerSecond;
    this.#at = options.now();
  }

  async send(command: object): Promise<object> {
    const { now, mailsPerSecond, dailyQuota = Number.POSITIVE_INFINITY, onMail, onRejected } = this.#options;
    const { Destinations = [], RawMessage } = (command as SendRawEmailCommand).input;
    this.#left = Math.min(mailsPerSecond, this.#left + ((now() - this.#at) / 1000) * mailsPerSecond);
    this.#at = now();
    this.#forget();
    if (this.#accepted >= dailyQuota) {
      onRejected?.('quota');
      throw throttled('Daily message quota exceeded.');
    }
    if (this.#left < 1) {
      onRejected?.('rate');
      throw throttled('Maximum sending rate exceeded.');
    }
    this.#left -= 1;
    this.#record();
    for (const address of Destinations) onMail(address, RawMessage?.Data ?? new Uint8Array());
    return { MessageId: `mail-${this.#at}-${this.#accepted}` };
  }

  #record(): void {
    this.#accepted += 1;
    const minute = Math.floor(this.#at / 60_000);
    const last = this.#minutes.at(-1);
    if (last?.minute === minute) last.count += 1;
    else this.#minutes.push({ minute, count: 1 });
  }

  #forget(): void {
    const oldest = Math.floor((this.#at - dayMs) / 60_000);
    while ((this.#minutes[0]?.minute ?? Number.POSITIVE_INFINITY) < oldest)
      this.#accepted -= this.#minutes.shift()?.count ?? 0;
  }
}
