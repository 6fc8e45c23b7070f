import { createHash } from 'node:crypto';
import { isolates } from '../languages/isolated.ts';

/** HTML markup. Only the functions in this file may create it. */
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

/** Builds HTML and escapes all text for use in element content and quoted attribute values. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((written, piece, index) => written + markupOf(parts[index - 1]) + piece),
});

/** Wraps each isolated word in `<bdi>`, so that the word keeps its own direction. */
export const bidiHtml = (text: string): Html => ({
  markup: escapeHtml(text).replaceAll(isolates.begin, '<bdi>').replaceAll(isolates.end, '</bdi>'),
});

/**
 * Returns a `<style>` element and the Content-Security-Policy source that allows only this element (CSP level 3,
 * section 2.3.1).
 */
export const styleSheet = (css: string): { readonly element: Html; readonly source: string } => ({
  element: { markup: `<style>${css}</style>` },
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
});

/** Renders a button that sends a POST request to the page's own URL, including the token. */
export const button = (label: string): Html =>
  html`<form method="post"><p><button type="submit">${label}</button></p></form>`;
