import { setTimeout as sleep } from 'node:timers/promises';
import { Violation } from './requirement.ts';

/** An email in the JSON response of the inbox. */
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

/**
 * Waits until an address has received emails that contain the given words. @throws Violation if they do not arrive in
 * time
 */
export type Mails = (address: string, words: string, count?: number) => Promise<Mail[]>;

/**
 * Returns a function that reads emails from an inbox. The inbox must list its emails at the path `store`, oldest first.
 */
export function mailsOf(inboxUrl: string, timeoutMs: number): Mails {
  const list = new URL('store', inboxUrl.endsWith('/') ? inboxUrl : `${inboxUrl}/`);
  return async (address, words, count = 1) => {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const { emails } = (await (await fetch(list)).json()) as { emails: Mail[] };
      const found = emails.filter(
        ({ destination, body }) => destination.to.includes(address) && (body.text ?? '').includes(words),
      );
      if (found.length >= count) return found;
      if (Date.now() > end) {
        throw new Violation(
          `${found.length} of ${count} emails arrived within ${timeoutMs / 1000} s; use --wait to wait longer`,
        );
      }
      await sleep(200);
    }
  };
}
