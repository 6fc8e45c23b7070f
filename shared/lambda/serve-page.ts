import type { Page } from '../contract/reply.ts';
import { faultPage, refusalPage } from '../pages/page.ts';
import { styleSource } from '../pages/style.ts';
import { type Form, house } from './reply.ts';
import { serveAs } from './serve.ts';

export const asPage: Form = {
  headers: {
    ...house,
    'content-type': 'text/html; charset=utf-8',
    // A page runs nothing and loads nothing: what it needs is in it.
    'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    // Its address carries a token: it goes to no other site and into no index.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  },
  write: String,
  writeRefusal: refusalPage,
  writeFault: faultPage,
};

/**
 * Makes the Lambda handler of a page, as `serve` does it; refusals and faults are pages, too. It stands apart so that
 * the functions that answer JSON carry no page.
 */
export const servePage = serveAs<Page>(asPage);
