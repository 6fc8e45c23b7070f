import Negotiator from 'negotiator';
import type { Page } from '../contract/schemas.ts';
import type { LetterheadValues } from '../contract/settings.ts';
import { type Language, languages } from '../domain/language.ts';
import { pageCatalogues } from '../presentation/languages/catalogues.ts';
import type { Frame } from '../presentation/pages/letterhead.ts';
import { clientErrorPage, errorPage, style } from '../presentation/pages/page.ts';
import { letterheadOf } from './letterhead-of.ts';
import { headerValues } from './read-request.ts';
import { commonHeaders, type Form } from './reply.ts';
import { serveAs } from './serve.ts';

/**
 * Returns the supported language that the reader prefers (RFC 9110 section 12.5.4), for example `fr` if the reader
 * prefers `fr-CA`.
 * @param accepted the `Accept-Language` header
 * @param usual the language of the deployment, for readers who do not prefer a supported language
 */
export function languageFor(accepted: string | undefined, usual: Language): Language {
  const offered = [usual, ...languages.filter((one) => one !== usual)];
  const [best = usual] = new Negotiator({ headers: { 'accept-language': accepted } }).languages(offered);
  return best as Language;
}

/** Returns the frame of a page. If the settings cannot be read, the frame is in English and has no letterhead. */
export function frameFor(accepted: string | undefined, settings: Partial<LetterheadValues>): Frame {
  const language = languageFor(accepted, settings.language ?? 'en');
  return { language, texts: pageCatalogues[language], letterhead: letterheadOf(settings) };
}

/** The response format of a page in one reader's language. */
type PageForm = Form & { readonly frame: Frame };

export const asPage = (frame: Frame): PageForm => ({
  frame,
  headers: {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-language': frame.language,
    vary: 'Accept-Language',
    // A page is self-contained: it runs no scripts and loads no external resources.
    'content-security-policy':
      `default-src 'none'; style-src ${style.source};${frame.letterhead.logo ? ' img-src data:;' : ''} ` +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    // The URL of a page contains a token, so the page must not send the URL to other sites or search engines.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  },
  write: String,
  writeClientError: (refusal) => clientErrorPage(frame, refusal),
  writeInternalError: (requestId) => errorPage(frame, requestId),
});

/**
 * Creates the Lambda handler of a page. Errors are also returned as pages in the reader's language. A separate file
 * keeps page code out of the bundles of functions that return JSON.
 */
export const servePage = serveAs<Page, PageForm>((event, settings) =>
  asPage(frameFor(headerValues(event, 'accept-language')?.join(', '), settings as Partial<LetterheadValues>)),
);
