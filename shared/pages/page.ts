import type { Refusal } from '../model/refusals.ts';
import { type Html, html } from './html.ts';
import { styleElement } from './style.ts';
import { texts } from './texts.ts';

/** A whole page: it needs no script and loads nothing. The title is its heading, too. */
export const writePage = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${texts.service}</title>
${styleElement}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.markup;

/** The page in place of a refusal: what was wrong and how to mend it. */
export const refusalPage = ({ refusal, message }: Refusal): string =>
  writePage(
    texts.badLink.title,
    refusal === 'invalidToken'
      ? html`<p>${message}</p>`
      : html`<p>${texts.badLink.confirm}</p><p class="quiet">${message}</p>`,
  );

/** The page in place of our own fault; the request id finds it in our log. */
export const faultPage = (requestId: string): string =>
  writePage(
    texts.fault.title,
    html`<p>${texts.fault.lead}</p><p class="quiet">${texts.fault.request} ${requestId}</p>`,
  );
