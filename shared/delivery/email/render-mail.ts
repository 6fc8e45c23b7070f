import { type Html, html } from '../../pages/html.ts';
import type { MailContent } from './mail-content.ts';

// Every line break that there is (Unicode 5.8).
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** Others' words, each line behind `prefix`: none of them can pass for a line of ours, such as the one above the footer. */
const behind = (prefix: string, text: string): string => text.split(lineBreak).join(`\n${prefix}`);

/** The content as plain text, each link on a line of its own. */
export function renderMailText({ heading, opening, button, rows, excerpt, closing, notes, link }: MailContent): string {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  const paragraphs = [
    heading,
    opening,
    button && `${button.label}:\n${button.url}`,
    rows.map(([label, value]) => `  ${label.padEnd(width)}  ${behind(' '.repeat(width + 4), value)}`).join('\n'),
    excerpt && `> ${behind('> ', excerpt)}`,
    closing,
    ['-- ', ...notes, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n'),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

// Mail programs drop style sheets: every element carries its own style.
const font = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const ink = 'color:#1b1f24';
const quiet = 'color:#4a5159';

// Inboxes on the Web show mails in a frame, and our pages refuse to be framed.
const newTab = html` target="_blank" rel="noopener"`;

const tableOf = (
  rows: MailContent['rows'],
): Html => html`<table cellpadding="0" cellspacing="0" style="width:100%;border-collapse:collapse;margin:0 0 20px;font-size:15px">
${rows.map(
  ([
    label,
    value,
  ]) => html`<tr><th scope="row" style="text-align:left;vertical-align:top;white-space:nowrap;padding:8px 16px 8px 0;border-top:1px solid #d5dae0;font-weight:normal;${quiet}">${label}</th><td style="padding:8px 0;border-top:1px solid #d5dae0;word-break:break-word;${ink}">${value}</td></tr>
`,
)}</table>`;

const buttonOf = ({
  url,
  label,
}: {
  url: string;
  label: string;
}): Html => html`<p style="margin:0 0 20px"><a href="${url}"${newTab} style="display:inline-block;padding:12px 22px;background:#124a86;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600">${label}</a></p>
<p style="margin:0 0 20px;font-size:14px;line-height:1.5;${quiet}">If the button does not work, open this address:<br><a href="${url}"${newTab} style="color:#124a86;word-break:break-all">${url}</a></p>`;

const excerptOf = (text: string): Html =>
  html`<pre style="margin:0 0 20px;padding:12px;background:#f2f4f7;border-radius:6px;white-space:pre-wrap;word-break:break-word;font-size:14px;${ink}">${text}</pre>`;

/** The content as HTML for mail programs: one column, no image, no script, nothing to load. */
export const renderMailHtml = (content: MailContent): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${content.subject}</title></head>
<body style="margin:0;padding:0;background:#f2f4f7">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;background:#f2f4f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid #d5dae0;border-radius:8px"><tr><td style="padding:28px 24px;${font};font-size:16px;line-height:1.5;${ink}">
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;word-break:break-word;${ink}">${content.heading}</h1>
<p style="margin:0 0 20px;word-break:break-word">${content.opening}</p>
${content.button && buttonOf(content.button)}
${content.rows.length > 0 ? tableOf(content.rows) : undefined}
${content.excerpt ? excerptOf(content.excerpt) : undefined}
<p style="margin:0">${content.closing}</p>
</td></tr></table>
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px"><tr><td style="padding:16px 24px;${font};font-size:12px;line-height:1.6;overflow-wrap:anywhere;word-break:break-word;${quiet}">
${content.notes.map((note) => html`${note}<br>`)}
${content.link && html`<a href="${content.link.url}"${newTab} style="color:#124a86">${content.link.label}</a>`}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.markup;
