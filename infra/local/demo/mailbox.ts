import { inbox, type Mail } from './inbox.ts';
import { waitFor } from './wait-for.ts';

/** Somebody who reads mails. */
export interface Mailbox {
  readonly address: string;
  mails(): Promise<readonly Mail[]>;
  /** Waits for the mail that asks, and presses its button. */
  confirm(): Promise<void>;
}

const confirmLink = /https?:\/\/[^/\s]+\/v1\/confirm\?token=[\w.-]+/;

export function openMailbox(inboxUrl: string, address: string): Mailbox {
  const mails = () => inbox(inboxUrl, address);
  return {
    address,
    mails,
    async confirm() {
      const link = await waitFor('the mail that asks to confirm', async () => {
        const [asking] = await mails();
        return confirmLink.exec(asking?.body.text ?? '')?.[0];
      });
      const { status } = await fetch(link, { method: 'POST' });
      if (status !== 200) throw new Error(`the page that confirms answered ${status}`);
    },
  };
}
