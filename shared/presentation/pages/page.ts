import type { ClientError } from '../../domain/client-errors.ts';
import type { Language } from '../../domain/language.ts';
import type { PageTexts } from '../languages/catalogues.ts';
import { isolated } from '../languages/isolated.ts';
import { bidiHtml, type Html, html } from './html.ts';
import { footOf, headOf, type Letterhead } from './letterhead.ts';
import { styleElement } from './style.ts';

export interface Frame {
  readonly language: Language;
  readonly texts: PageTexts;
  readonly letterhead: Letterhead;
}

/** Renders a whole page, with the title as its heading. The page needs no scripts and loads no external resources. */
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

/** Renders the page for an invalid link. The page explains the problem and how to proceed. */
export const clientErrorPage = (frame: Frame, { errorName: refusal, message }: ClientError): string =>
  // Show only messages about tokens, because messages about parameters are written in English for programmers.
  writePage(
    frame,
    frame.texts.badLink.title,
    html`<p>${refusal === 'invalidToken' ? message : frame.texts.badLink.incomplete}</p>`,
  );

/** Renders the page for an internal error. The request id identifies the error in our log. */
export const errorPage = (frame: Frame, requestId: string): string =>
  writePage(
    frame,
    frame.texts.fault.title,
    html`<p>${frame.texts.fault.lead}</p><p class="quiet">${bidiHtml(frame.texts.fault.request(isolated(requestId)))}</p>`,
  );
