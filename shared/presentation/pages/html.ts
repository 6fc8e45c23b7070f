import { isolates } from '../languages/isolated.ts';

/** Text that is HTML already; only `html` and `said` make it. */
export interface Html {
  readonly markup: string;
}

type Part = string | Html | readonly Html[] | undefined;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Writes HTML. Every text that is put in is escaped, for element content and quoted attribute values alike. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((written, piece, index) => written + markupOf(parts[index - 1]) + piece),
});

/** A text with isolated words: each stands by itself, whichever way it is written. */
export const said = (text: string): Html => ({
  markup: escapeHtml(text).replaceAll(isolates.begin, '<bdi>').replaceAll(isolates.end, '</bdi>'),
});

/** A button that posts. Without an action the form goes to the page's own address, token included. */
export const button = (label: string): Html =>
  html`<form method="post"><p><button type="submit">${label}</button></p></form>`;
