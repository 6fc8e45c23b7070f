import type { Refusal } from '../../model/refusals.ts';
import type { Frame } from '../../pages/frame.ts';
import { isolated } from '../languages/isolated.ts';
import { type Html, html, said } from './html.ts';
import { footOf, headOf } from './letterhead.ts';
import { styleElement } from './style.ts';

/** A whole page: it needs no script and loads nothing. The title is its heading, too. */
export const writePage = ({ language, texts, letterhead }: Frame, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="${language}" dir="${texts.writing.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${letterhead.name ?? texts.service}</title>
${styleElement}
</head>
<body>
${headOf(letterhead)}<main>
<h1>${title}</h1>
${content}
</main>
${footOf(letterhead, texts)}</body>
</html>
`.markup;

/** The page in place of a refusal: what was wrong and how to mend it. */
export const refusalPage = (frame: Frame, { refusal, message }: Refusal): string =>
  writePage(
    frame,
    frame.texts.badLink.title,
    refusal === 'invalidToken'
      ? html`<p>${message}</p>`
      : // What is wrong with a request is for programs, in English.
        html`<p>${frame.texts.badLink.incomplete}</p><p class="quiet" lang="en" dir="ltr">${message}</p>`,
  );

/** The page in place of our own fault; the request id finds it in our log. */
export const faultPage = (frame: Frame, requestId: string): string =>
  writePage(
    frame,
    frame.texts.fault.title,
    html`<p>${frame.texts.fault.lead}</p><p class="quiet">${said(frame.texts.fault.request(isolated(requestId)))}</p>`,
  );
