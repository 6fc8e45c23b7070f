import type { ClientError } from '../../domain/client-errors.ts';
import { isolated } from '../languages/isolated.ts';
import { bidiHtml, type Html, html, styleSheet } from './html.ts';
import { type Frame, footOf, headOf } from './letterhead.ts';

// In light and dark mode, contrast is at least 7:1 for text and 4.5:1 for buttons (WCAG 2.2, 1.4.3 to 1.4.11).
const css = `
:root{color-scheme:light dark;--ink:#1b1f24;--quiet:#454c55;--paper:#fff;--line:#6b7480;--accent:#124a86;--on-accent:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#f2f4f6;--quiet:#c3c9d1;--paper:#15181c;--line:#8a94a0;--accent:#9cc9ff;--on-accent:#0b1a2b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.125rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:36rem;margin:0 auto;padding:clamp(1.25rem,6vw,4rem) 1.25rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem}
p{margin:0 0 1rem}
dl{margin:1.5rem 0;padding:.75rem 0;border:solid var(--line);border-width:1px 0}
dt{font-size:1rem;color:var(--quiet)}
dd{margin:0 0 .75rem;font-weight:600}
dd:last-child{margin:0}
a{color:var(--accent)}
header,footer{max-width:36rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;align-items:center;gap:.75rem;padding-top:1.25rem}
header p{margin:0;font-weight:600}
header img{max-height:3rem;max-width:40%}
header+main{padding-top:1.5rem}
footer{padding-bottom:2rem;font-size:1rem;color:var(--quiet)}
footer p{margin:0 0 .25rem}
button{font:inherit;font-weight:600;min-height:3rem;max-width:100%;padding:.6rem 1.5rem;
border:2px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on-accent);cursor:pointer}
button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
.quiet{font-size:1rem;color:var(--quiet)}
`;

/** The style sheet of pages, and the Content-Security-Policy source that allows only this style sheet. */
export const style = styleSheet(css);

/** Renders a whole page, with the title as its heading. The page needs no scripts and loads no external resources. */
export const writePage = (frame: Frame, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="${frame.language}" dir="${frame.texts.writing.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${frame.letterhead.name ?? frame.texts.service}</title>
${style.element}
</head>
<body>
${headOf(frame.letterhead)}<main>
<h1>${title}</h1>
${content}
</main>
${footOf(frame)}</body>
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
