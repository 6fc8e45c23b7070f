import type { LetterheadValues } from '../contract/letterhead-settings.ts';
import type { Page } from '../contract/reply.ts';
import type { Frame } from '../pages/frame.ts';
import { faultPage, refusalPage } from '../presentation/pages/page.ts';
import { styleSource } from '../presentation/pages/style.ts';
import { frameFor } from './page-frame.ts';
import { listHeader } from './read-request.ts';
import { type Form, house } from './reply.ts';
import { serveAs } from './serve.ts';

/** The form of answers to one reader. */
export interface PageForm extends Form {
  readonly frame: Frame;
}

export const asPage = (frame: Frame): PageForm => ({
  frame,
  headers: {
    ...house,
    'content-type': 'text/html; charset=utf-8',
    'content-language': frame.language,
    vary: 'Accept-Language',
    // A page runs nothing and loads nothing: what it needs is in it.
    'content-security-policy': `default-src 'none'; style-src ${styleSource};${frame.letterhead.logo ? ' img-src data:;' : ''} form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    // Its address carries a token: it goes to no other site and into no index.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  },
  write: String,
  writeRefusal: (refusal) => refusalPage(frame, refusal),
  writeFault: (requestId) => faultPage(frame, requestId),
});

/**
 * Makes the Lambda handler of a page, as `serve` does it; refusals and faults are pages, too, all in the reader's language.
 * It stands apart so that the functions that answer JSON carry no page.
 */
export const servePage = serveAs<Page, PageForm>((event, settings) =>
  asPage(frameFor(listHeader(event, 'accept-language'), settings as Partial<LetterheadValues>)),
);
