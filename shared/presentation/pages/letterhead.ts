import type { PageTexts } from '../languages/texts.ts';
import { type Html, html, said } from './html.ts';

/** Whose service this is, as far as its operator says so: it stands in the frame of every page and mail. */
export interface Letterhead {
  readonly name?: string;
  /** A mailbox, an address of the Web, or a line such as a telephone number. */
  readonly contact?: string;
  readonly privacyUrl?: string;
  /** A picture, as an address that holds all of it (RFC 2397). */
  readonly logo?: string;
}

/** Where a contact leads to, if it is something that can be opened. */
export function contactUrl(contact: string): string | undefined {
  if (/^https:\/\/\S+$/.test(contact)) return contact;
  return /^[^@\s]+@[^@\s]+$/.test(contact) ? `mailto:${contact}` : undefined;
}

/** The top of a page: nothing where its operator says nothing. */
export function headOf({ name, logo }: Letterhead): Html | undefined {
  if (name === undefined && logo === undefined) return undefined;
  // Beside the name the picture says nothing more.
  const picture = logo && html`<img src="${logo}" alt="">`;
  return html`<header>${picture}${name && html`<p>${said(name)}</p>`}</header>
`;
}

/** The foot of a page. */
export function footOf(
  { contact, privacyUrl }: Letterhead,
  { letterhead: words, writing }: Pick<PageTexts, 'letterhead' | 'writing'>,
): Html | undefined {
  if (contact === undefined && privacyUrl === undefined) return undefined;
  const url = contact && contactUrl(contact);
  const shown = contact && html`<bdi>${url ? html`<a href="${url}">${contact}</a>` : contact}</bdi>`;
  return html`<footer>
${shown && html`<p>${writing.introducing(words.contact)} ${shown}</p>`}
${privacyUrl && html`<p><a href="${privacyUrl}">${words.privacy}</a></p>`}
</footer>
`;
}
