import { plainly } from '../../presentation/languages/isolated.ts';
import { type Html, html, said } from '../../presentation/pages/html.ts';
import { contactUrl } from '../../presentation/pages/letterhead.ts';
import type { MailContent, Row } from './content.ts';
import type { MailFrame } from './mail-frame.ts';

/** The Content-ID of the logo within a mail. */
export const logoId = 'logo';

// Mail programs drop style sheets: every element carries its own style.
const font = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const ink = 'color:#1b1f24';
const quiet = 'color:#4a5159';
const line = '1px solid #d5dae0';

// Inboxes on the Web show mails in a frame, and our pages refuse to be framed.
const newTab = html` target="_blank" rel="noopener"`;

type Direction = MailFrame['texts']['writing']['direction'];

// They know no start and end of a line either.
const startOf = { ltr: 'left', rtl: 'right' } as const;
const endPadding = { ltr: '8px 16px 8px 0', rtl: '8px 0 8px 16px' } as const;

const rowOf = (
  direction: Direction,
  { label, value }: Row,
): Html => html`<tr><th scope="row" style="text-align:${startOf[direction]};vertical-align:top;width:34%;padding:${endPadding[direction]};border-top:${line};font-weight:normal;word-break:break-word;${quiet}">${said(label)}</th><td style="text-align:${startOf[direction]};vertical-align:top;padding:8px 0;border-top:${line};word-break:break-word;${ink}">${said(value)}</td></tr>
`;

const tableOf = (
  direction: Direction,
  rows: readonly Row[],
): Html => html`<table cellpadding="0" cellspacing="0" style="width:100%;border-collapse:collapse;margin:0 0 20px;font-size:15px">
${rows.map((row) => rowOf(direction, row))}</table>`;

const othersOf = (direction: Direction, { heading, rows, rest }: NonNullable<MailContent['others']>): Html =>
  html`<h2 style="margin:0 0 8px;font-size:16px;line-height:1.3;${ink}">${heading}</h2>
${tableOf(direction, rows)}
${rest && html`<p style="margin:0 0 20px">${rest}</p>`}`;

const buttonOf = ({ url, label, address }: NonNullable<MailContent['button']>): Html =>
  html`<p style="margin:0 0 20px"><a href="${url}"${newTab} style="display:inline-block;padding:12px 22px;background:#124a86;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600">${label}</a></p>
<p style="margin:0 0 20px;font-size:14px;line-height:1.5;${quiet}">${address}<br><a href="${url}"${newTab} dir="ltr" style="color:#124a86;word-break:break-all">${url}</a></p>`;

const excerptOf = (text: string): Html =>
  html`<pre dir="auto" style="margin:0 0 20px;padding:12px;background:#f2f4f7;border-radius:6px;white-space:pre-wrap;word-break:break-word;font-size:14px;${ink}">${text}</pre>`;

// Tall enough to be hit by a finger (WCAG 2.2, 2.5.8).
const linkOf = (url: string, label: string): Html =>
  html`<a href="${url}"${newTab} style="display:inline-block;padding:4px 0;color:#124a86">${label}</a>`;

const headOf = ({ name, logo }: MailFrame['letterhead']): Html | undefined =>
  name === undefined && logo === undefined
    ? undefined
    : html`<p style="margin:0 0 20px;font-weight:600">${logo && html`<img src="cid:${logoId}" alt="" height="40" style="vertical-align:middle;max-width:40%"> `}${name && said(name)}</p>`;

const footOf = ({ letterhead: { name, contact, privacyUrl }, texts }: MailFrame): Html => {
  const url = contact && contactUrl(contact);
  return html`${name && html`${name}<br>`}
${contact && html`${texts.writing.introducing(texts.letterhead.contact)} <bdi>${url ? linkOf(url, contact) : contact}</bdi><br>`}
${privacyUrl && html`${linkOf(privacyUrl, texts.letterhead.privacy)}<br>`}`;
};

/** The content as HTML for mail programs: one column, no script, nothing to load; a logo is in the mail. */
export function renderMailHtml(frame: MailFrame, content: MailContent): string {
  const { direction } = frame.texts.writing;
  const { button, rows, others, excerpt, link } = content;
  // Some drop what the outermost elements say: the tables say it again.
  const way = html` lang="${frame.language}" dir="${direction}"`;
  return html`<!doctype html>
<html${way}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${plainly(content.subject)}</title></head>
<body style="margin:0;padding:0;background:#f2f4f7">
<table role="presentation"${way} cellpadding="0" cellspacing="0" style="width:100%;background:#f2f4f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:${line};border-radius:8px"><tr><td style="padding:28px 24px;text-align:${startOf[direction]};${font};font-size:16px;line-height:1.5;${ink}">
${headOf(frame.letterhead)}
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;word-break:break-word;${ink}">${said(content.heading)}</h1>
<p style="margin:0 0 20px;word-break:break-word">${said(content.opening)}</p>
${button && buttonOf(button)}
${rows.length > 0 ? tableOf(direction, rows) : undefined}
${others && othersOf(direction, others)}
${excerpt ? excerptOf(excerpt) : undefined}
<p style="margin:0">${content.closing}</p>
</td></tr></table>
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px"><tr><td style="padding:16px 24px;text-align:${startOf[direction]};${font};font-size:12px;line-height:1.6;overflow-wrap:anywhere;word-break:break-word;${quiet}">
${content.notes.map((note) => html`${said(note)}<br>`)}
${footOf(frame)}
${link && linkOf(link.url, link.label)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.markup;
}
