/** A mail as the local mail service keeps it. */
export interface Mail {
  readonly from: string;
  readonly destination: { readonly to: readonly string[] };
  readonly subject: string;
  readonly body: { readonly html?: string; readonly text?: string };
  /** `content` is base64. */
  readonly attachments: readonly { content: string; contentType: string; filename?: string }[];
}

/** The mails to one address, in the order in which they were sent. */
export async function inbox(inboxUrl: string, address: string): Promise<Mail[]> {
  const store = (await (await fetch(`${inboxUrl}store`)).json()) as { emails: Mail[] };
  return store.emails.filter(({ destination }) => destination.to.includes(address));
}
