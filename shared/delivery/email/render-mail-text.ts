import { plainly } from '../../presentation/languages/isolated.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import type { MailContent, Row } from './mail-content.ts';

// All line breaks in the Unicode Standard (section 5.8).
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** Puts a prefix before each line of external text except the first, so that no line can imitate our footer. */
const behind = (prefix: string, text: string): string => text.split(lineBreak).join(`\n${prefix}`);

function tableOf(rows: readonly Row[]): string {
  const plain = rows.map(({ label, value }) => [plainly(label), plainly(value)] as const);
  const width = Math.max(0, ...plain.map(([label]) => label.length));
  return plain.map(([label, value]) => `  ${label.padEnd(width)}  ${behind(' '.repeat(width + 4), value)}`).join('\n');
}

export function renderMailText({ letterhead, texts }: MailFrame, content: MailContent): string {
  const { introducing } = texts.writing;
  const { name, contact, privacyUrl } = letterhead;
  const { heading, opening, button, rows, others, excerpt, closing, notes, link } = content;
  const foot = [
    '-- ',
    ...notes.map(plainly),
    name,
    contact && `${introducing(texts.letterhead.contact)} ${contact}`,
    privacyUrl && `${introducing(texts.letterhead.privacy)} ${privacyUrl}`,
    link && `${introducing(link.label)} ${link.url}`,
  ];
  const paragraphs = [
    plainly(heading),
    plainly(opening),
    button && `${introducing(button.label)}\n${button.url}`,
    tableOf(rows),
    others && `${introducing(others.heading)}\n${tableOf(others.rows)}`,
    others?.rest,
    excerpt && `> ${behind('> ', excerpt)}`,
    closing,
    foot.filter(Boolean).join('\n'),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}
