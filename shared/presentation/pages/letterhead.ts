import type { Language } from '../../domain/language.ts';
import type { MailTexts, PageTexts } from '../languages/catalogues.ts';
import { bidiHtml, type Html, html } from './html.ts';

/** The institution that runs the service, as it is shown on every page and in every email. */
export interface Letterhead {
  readonly name?: string | undefined;
  /** An email address, a URL, or any other line such as a telephone number. */
  readonly contact?: string | undefined;
  readonly privacyUrl?: string | undefined;
  /** An image as a `data:` URL (RFC 2397). */
  readonly logo?: string | undefined;
}

/** The context in which every page is written. */
export interface Frame {
  readonly language: Language;
  readonly texts: PageTexts;
  readonly letterhead: Letterhead;
}

/** The context in which every email is written. */
export interface MailFrame extends Omit<Frame, 'texts'> {
  readonly texts: MailTexts;
  /** The sender's name as email programs show it; empty if the sender has no name. */
  readonly senderName: string;
  readonly timeZone: string;
}

/** Returns the URL of a contact, or undefined if the contact has no URL. */
export function contactUrl(contact: string): string | undefined {
  if (/^https:\/\/\S+$/.test(contact)) return contact;
  return /^[^@\s]+@[^@\s]+$/.test(contact) ? `mailto:${contact}` : undefined;
}

export function headOf({ name, logo }: Letterhead): Html | undefined {
  if (name === undefined && logo === undefined) return undefined;
  // The logo needs no alternative text, because the name follows.
  const picture = logo && html`<img src="${logo}" alt="">`;
  return html`<header>${picture}${name && html`<p>${bidiHtml(name)}</p>`}</header>
`;
}

export function footOf({ letterhead: { contact, privacyUrl }, texts }: Frame): Html | undefined {
  if (contact === undefined && privacyUrl === undefined) return undefined;
  const url = contact && contactUrl(contact);
  const shown = contact && html`<bdi>${url ? html`<a href="${url}">${contact}</a>` : contact}</bdi>`;
  return html`<footer>
${shown && html`<p>${texts.writing.introducing(texts.letterhead.contact)} ${shown}</p>`}
${privacyUrl && html`<p><a href="${privacyUrl}">${texts.letterhead.privacy}</a></p>`}
</footer>
`;
}
