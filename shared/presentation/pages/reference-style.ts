import { styleSheet } from './html.ts';

// In light and dark mode, the contrast of text is at least 7:1 (WCAG 2.2, 1.4.6).
const css = `
:root{color-scheme:light dark;--ink:#1b1f24;--quiet:#454c55;--paper:#fff;--raised:#f3f5f7;--line:#c3cad2;--accent:#124a86}
@media(prefers-color-scheme:dark){:root{--ink:#f2f4f6;--quiet:#c3c9d1;--paper:#15181c;--raised:#20252b;--line:#4b5560;--accent:#9cc9ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
header,nav,main{padding:1rem 1.25rem;max-width:60rem}
h1{font-size:1.75rem;line-height:1.25;margin:1rem 0}
h2{margin:3rem 0 .5rem;border-bottom:2px solid var(--line)}
h3{margin:2.5rem 0 .5rem}
nav h2{font-size:1rem;margin:1rem 0 .25rem;border:0}
nav ul{margin:0;padding:0;list-style:none}
nav li a{display:inline-block;padding:.25rem 0}
a{color:var(--accent)}
code{font-family:ui-monospace,monospace;font-size:.9em}
pre{background:var(--raised);padding:.75rem;border-radius:.375rem;overflow-x:auto;white-space:pre}
.route code{font-weight:600}
.wide{overflow-x:auto}
table{border-collapse:collapse;min-width:40rem;width:100%;margin:1rem 0;overflow-wrap:normal}
td:last-child{overflow-wrap:anywhere}
caption{text-align:start;font-weight:600}
th,td{text-align:start;vertical-align:top;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line)}
th small{display:block;font-weight:400}
small{color:var(--quiet);font-size:.875em}
.skip{position:absolute;inset-inline-start:-100rem}
.skip:focus{position:static}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(min-width:64rem){nav{position:fixed;inset-block:0;inset-inline-start:0;width:19rem;overflow-y:auto}header,main{margin-inline-start:19rem}}
`;

const { element, source } = styleSheet(css);

/** The style sheet of the reference page, and the Content-Security-Policy that allows only this style sheet. */
export const referenceStyle = {
  element,
  policy: `default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};
