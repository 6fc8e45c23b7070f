import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { isolated } from '../../presentation/languages/isolated.ts';
import type { Recipient } from '../sender.ts';

/** The fields of a subscription that its mails need. */
export type MailRecipient = Recipient &
  Pick<
    StoredSubscription,
    'generation' | 'requests' | 'isActive' | 'owner' | 'subjects' | 'countdownSeconds' | 'maxRetries'
  >;

const maxInLine = 80;

/** Returns the first characters of a text. Never ends within a surrogate pair. */
export const firstOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/u, '');

/** Isolates text from publishers or callers within a line, and cuts it to 80 characters. */
export function inLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return isolated(line.length > maxInLine ? `${firstOf(line, maxInLine)}…` : line);
}

export interface Row {
  readonly label: string;
  readonly value: string;
}

/** The content of a mail, before it is rendered as text and HTML. Text from publishers and callers is isolated. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly opening: string;
  readonly button?: { readonly url: string; readonly label: string; readonly address: string };
  readonly rows: readonly Row[];
  readonly others?: { readonly heading: string; readonly rows: readonly Row[]; readonly rest?: string };
  /** The text of an event that is not a JSON object. */
  readonly excerpt?: string;
  readonly closing: string;
  /** Small print: for programs, and for recipients who do not know why they received this. */
  readonly notes: readonly string[];
  readonly link?: { readonly url: string; readonly label: string };
}
