export interface Row {
  readonly label: string;
  readonly value: string;
}

/** What a mail says, before it is written as text and as HTML. Others' words in it are isolated. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly opening: string;
  readonly button?: { readonly url: string; readonly label: string; readonly address: string };
  readonly rows: readonly Row[];
  /** Fields that have no label of ours, by their names. */
  readonly others?: { readonly heading: string; readonly rows: readonly Row[]; readonly rest?: string };
  /** Text that is no JSON object, shown as it is. */
  readonly excerpt?: string;
  readonly closing: string;
  /** In smaller print: for machines, and for whoever asks what this is. */
  readonly notes: readonly string[];
  readonly link?: { readonly url: string; readonly label: string };
}
