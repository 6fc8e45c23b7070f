import { setTimeout as sleep } from 'node:timers/promises';
import { Broken } from './sentence.ts';

/** A mail, as an inbox lists it. */
export interface Mail {
  readonly subject: string;
  readonly destination: { readonly to: readonly string[] };
  readonly body: { readonly text?: string; readonly html?: string };
  /** `content` is base64. */
  readonly attachments: readonly {
    readonly filename?: string;
    readonly contentType: string;
    readonly content: string;
  }[];
}

/** Waits for mails to an address whose text has these words. @throws Broken when they do not come in time */
export type Mails = (address: string, words: string, count?: number) => Promise<Mail[]>;

/** Reads an inbox that lists its mails at `store`, as the one of the stack on a laptop does: the earliest first. */
export function mailsOf(inboxUrl: string, patienceMs: number): Mails {
  const list = new URL('store', inboxUrl.endsWith('/') ? inboxUrl : `${inboxUrl}/`);
  return async (address, words, count = 1) => {
    const end = Date.now() + patienceMs;
    for (;;) {
      const { emails } = (await (await fetch(list)).json()) as { emails: Mail[] };
      const found = emails.filter(
        ({ destination, body }) => destination.to.includes(address) && (body.text ?? '').includes(words),
      );
      if (found.length >= count) return found;
      if (Date.now() > end) {
        throw new Broken(
          `${found.length} of ${count} mails came within ${patienceMs / 1000} s; --wait allows for more`,
        );
      }
      await sleep(200);
    }
  };
}
