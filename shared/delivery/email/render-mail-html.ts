import { plainly } from '../../presentation/languages/isolated.ts';
import { bidiHtml, type Html, html, styleSheet } from '../../presentation/pages/html.ts';
import { contactUrl, type MailFrame } from '../../presentation/pages/letterhead.ts';
import type { MailContent, Row } from './mail-content.ts';

export const logoId = 'logo';

// Many mail programs remove style sheets, so every element has inline styles. Mail programs that keep style sheets can
// use the dark mode.
const darkStyle = `
@media(prefers-color-scheme:dark){
.page{background:#15181c!important}
.card{background:#20252b!important;border-color:#4b5560!important}
.ink{color:#f2f4f6!important}
.quiet{color:#c3c9d1!important}
.line{border-color:#4b5560!important}
.link{color:#9cc9ff!important}
.button{background:#9cc9ff!important;color:#0b1a2b!important}
}`;

const font = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const ink = 'color:#1b1f24';
const quiet = 'color:#4a5159';
const line = '1px solid #d5dae0';

// Open links in a new tab, because webmail displays emails in a frame and our pages do not allow framing.
const newTab = html` target="_blank" rel="noopener"`;

type Direction = MailFrame['texts']['writing']['direction'];

const noSpace = html`cellpadding="0" cellspacing="0"`;

// Many mail programs do not support `text-align: start`.
const startOf = { ltr: 'left', rtl: 'right' } as const;
const endPadding = { ltr: '8px 16px 8px 0', rtl: '8px 0 8px 16px' } as const;

function tableOf(direction: Direction, rows: readonly Row[]): Html {
  const start = `text-align:${startOf[direction]};vertical-align:top`;
  const padding = endPadding[direction];
  const head = `${start};width:40%;padding:${padding};border-top:${line};font-weight:normal;word-break:break-word;${quiet}`;
  const cell = `${start};padding:8px 0;border-top:${line};word-break:break-word;${ink}`;
  const rowOf = ({ label, value }: Row) =>
    html`<tr><th scope="row" class="quiet line" style="${head}">${bidiHtml(label)}</th><td class="ink line" style="${cell}">${bidiHtml(value)}</td></tr>
`;
  return html`<table ${noSpace} style="width:100%;border-collapse:collapse;margin:0 0 20px;font-size:15px">
${rows.map(rowOf)}</table>`;
}

const othersOf = (direction: Direction, { heading, rows, rest }: NonNullable<MailContent['others']>): Html =>
  html`<h2 class="ink" style="margin:0 0 8px;font-size:16px;line-height:1.3;${ink}">${heading}</h2>
${tableOf(direction, rows)}
${rest && html`<p style="margin:0 0 20px">${rest}</p>`}`;

const buttonStyle =
  'display:inline-block;padding:12px 22px;background:#124a86;color:#ffffff;' +
  'text-decoration:none;border-radius:6px;font-weight:600';
const addressStyle = `margin:0 0 20px;font-size:14px;line-height:1.5;${quiet}`;

function buttonOf({ url, label, address }: NonNullable<MailContent['button']>): Html {
  const link = html`<a href="${url}"${newTab} dir="ltr" class="link" style="color:#124a86;word-break:break-all">${url}</a>`;
  return html`<p style="margin:0 0 20px"><a href="${url}"${newTab} class="button" style="${buttonStyle}">${label}</a></p>
<p class="quiet" style="${addressStyle}">${address}<br>${link}</p>`;
}

// The excerpt has its own direction. Mail programs without `text-align: start` align the excerpt like the rest of the
// email.
const excerptStyle =
  'margin:0 0 20px;padding:12px;background:#f2f4f7;border-radius:6px;text-align:start;' +
  `white-space:pre-wrap;word-break:break-word;font-size:14px;${ink}`;

const excerptOf = (text: string): Html => html`<pre dir="auto" class="page ink" style="${excerptStyle}">${text}</pre>`;

// The padding makes the link large enough to tap (WCAG 2.2, 2.5.8).
const linkOf = (url: string, label: string): Html =>
  html`<a href="${url}"${newTab} class="link" style="display:inline-block;padding:4px 0;color:#124a86">${label}</a>`;

function headOf({ name, logo }: MailFrame['letterhead']): Html | undefined {
  if (name === undefined && logo === undefined) return undefined;
  const image = html`<img src="cid:${logoId}" alt="" height="40" style="vertical-align:middle;max-width:40%"> `;
  return html`<p style="margin:0 0 20px;font-weight:600">${logo && image}${name && bidiHtml(name)}</p>`;
}

const footOf = ({ letterhead: { name, contact, privacyUrl }, texts }: MailFrame): Html => {
  const url = contact && contactUrl(contact);
  return html`${name && html`${name}<br>`}
${contact && html`${texts.writing.introducing(texts.letterhead.contact)} <bdi>${url ? linkOf(url, contact) : contact}</bdi><br>`}
${privacyUrl && html`${linkOf(privacyUrl, texts.letterhead.privacy)}<br>`}`;
};

const meta = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
${styleSheet(darkStyle).element}`;
const centered = html`<tr><td align="center" style="padding:24px 12px">`;
const card = `width:100%;max-width:600px;background:#ffffff;border:${line};border-radius:8px`;
const bodyText = `${font};font-size:16px;line-height:1.5;${ink}`;
const smallPrint = `${font};font-size:12px;line-height:1.6;overflow-wrap:anywhere;word-break:break-word;${quiet}`;

/** Renders the content as HTML for mail programs: one column, no scripts, no external resources. */
export function renderMailHtml(frame: MailFrame, content: MailContent): string {
  const { direction } = frame.texts.writing;
  const { button, rows, others, excerpt, link } = content;
  // Some mail programs drop the attributes of `<html>`, so the outer table repeats the language and direction.
  const way = html` lang="${frame.language}" dir="${direction}"`;
  const start = `text-align:${startOf[direction]}`;
  return html`<!doctype html>
<html${way}>
<head>${meta}<title>${plainly(content.subject)}</title></head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7">
<table role="presentation"${way} ${noSpace} class="page" style="width:100%;background:#f2f4f7">${centered}
<table role="presentation" ${noSpace} class="card" style="${card}"><tr><td class="ink" style="padding:28px 24px;${start};${bodyText}">
${headOf(frame.letterhead)}
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:1.3;word-break:break-word;${ink}">${bidiHtml(content.heading)}</h1>
<p style="margin:0 0 20px;word-break:break-word">${bidiHtml(content.opening)}</p>
${button && buttonOf(button)}
${rows.length > 0 ? tableOf(direction, rows) : undefined}
${others && othersOf(direction, others)}
${excerpt ? excerptOf(excerpt) : undefined}
<p style="margin:0">${content.closing}</p>
</td></tr></table>
<table role="presentation" ${noSpace} style="width:100%;max-width:600px"><tr><td class="quiet" style="padding:16px 24px;${start};${smallPrint}">
${content.notes.map((note) => html`${bidiHtml(note)}<br>`)}
${footOf(frame)}
${link && linkOf(link.url, link.label)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.markup;
}
