import { waitFor } from './wait-for.ts';

export interface Mail {
  readonly messageId: string;
  /** Epoch seconds. */
  readonly at: number;
  readonly from: string;
  readonly destination: { readonly to: readonly string[] };
  readonly subject: string;
  readonly body: { readonly html?: string; readonly text?: string };
  /** `content` is base64. */
  readonly attachments: readonly { content: string; contentType: string; filename?: string }[];
}

/**
 * Returns the emails to an address that have arrived since a time in epoch seconds. By default, returns all emails to
 * the address.
 */
export async function inbox(inboxUrl: string, address: string, since = 0): Promise<Mail[]> {
  const store = (await (await fetch(`${inboxUrl}store?since=${since}`)).json()) as { emails: Mail[] };
  return store.emails.filter(({ destination }) => destination.to.includes(address));
}

export interface Mailbox {
  readonly address: string;
  mails(): Promise<readonly Mail[]>;
  confirm(): Promise<void>;
}

const confirmLink = /https?:\/\/[^/\s]+\/v1\/confirm\?token=[\w.-]+/;

export function openMailbox(inboxUrl: string, address: string): Mailbox {
  const known = new Map<string, Mail>();
  let since = 0;
  /** Requests only new emails, because requesting thousands of emails every time would slow down the stack. */
  async function mails(): Promise<Mail[]> {
    for (const mail of await inbox(inboxUrl, address, since)) {
      known.set(mail.messageId, mail);
      since = Math.max(since, mail.at);
    }
    return [...known.values()];
  }
  return {
    address,
    mails,
    async confirm() {
      const link = await waitFor('the confirmation mail', async () => {
        const [mail] = await mails();
        return confirmLink.exec(mail?.body.text ?? '')?.[0];
      });
      const { status } = await fetch(link, { method: 'POST' });
      if (status !== 200) throw new Error(`the confirmation page returned ${status}`);
    },
  };
}
