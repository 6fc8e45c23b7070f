import type { Page } from '../contract/reply-schemas.ts';
import type { LetterheadValues } from '../contract/settings.ts';
import type { Frame } from '../presentation/pages/page.ts';
import { clientErrorPage, errorPage } from '../presentation/pages/page.ts';
import { styleSource } from '../presentation/pages/style.ts';
import { frameFor } from './page-frame.ts';
import { listHeader } from './read-request.ts';
import { commonHeaders, type Form } from './reply.ts';
import { serveAs } from './serve.ts';

/** The response format of a page in one reader's language. */
interface PageForm extends Form {
  readonly frame: Frame;
}

export const asPage = (frame: Frame): PageForm => ({
  frame,
  headers: {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-language': frame.language,
    vary: 'Accept-Language',
    // A page is self-contained: it runs no scripts and loads no external resources.
    'content-security-policy':
      `default-src 'none'; style-src ${styleSource};${frame.letterhead.logo ? ' img-src data:;' : ''} ` +
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
  asPage(frameFor(listHeader(event, 'accept-language'), settings as Partial<LetterheadValues>)),
);
