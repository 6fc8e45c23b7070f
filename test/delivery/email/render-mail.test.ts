import { describe, expect, it } from 'vitest';
import type { MailContent } from '../../../shared/delivery/email/mail-content.ts';
import { renderMailHtml, renderMailText } from '../../../shared/delivery/email/render-mail.ts';

const attack = "\"><script>alert('1')</script>&";
const content: MailContent = {
  subject: attack,
  heading: attack,
  opening: attack,
  button: { url: `https://registry.example/?${attack}`, label: attack },
  rows: [[attack, attack]],
  excerpt: attack,
  closing: attack,
  notes: [attack],
  link: { url: `https://registry.example/?${attack}`, label: attack },
};

describe('a letter as HTML', () => {
  it('shows markup in any of its texts as text', () => {
    const page = renderMailHtml(content);
    expect(page).not.toContain('<script');
    expect(page.match(/&lt;script&gt;/g)).toHaveLength(14);
    expect(page).not.toContain('"https://registry.example/?">');
  });

  it('opens each of its links in a place of its own, for our pages refuse the frame of an inbox', () => {
    const links = renderMailHtml(content).match(/<a [^>]*>/g) ?? [];
    expect(links).toHaveLength(3);
    for (const link of links) expect(link).toContain('" target="_blank" rel="noopener" ');
  });

  it('loads nothing and runs nothing', () => {
    const page = renderMailHtml({ subject: 's', heading: 'h', opening: 'o', rows: [], closing: 'c', notes: [] });
    expect(page).not.toMatch(/<(?:img|link|script|iframe|style)\b|\bsrc=|url\(|\son\w+=/i);
  });
});

describe('a letter as text', () => {
  it('has its parts in order, links on lines of their own', () => {
    const text = renderMailText({
      subject: 'CR: death',
      heading: 'Death',
      opening: 'A new event.',
      button: { url: 'https://registry.example/v1/confirm?token=t', label: 'Confirm' },
      rows: [
        ['uin', '1'],
        ['source', 'CR'],
      ],
      closing: 'Attached.',
      notes: ['Message id: 7'],
      link: { url: 'https://registry.example/v1/unsubscribe?token=t', label: 'Unsubscribe' },
    });
    expect(text).toBe(
      [
        'Death',
        '',
        'A new event.',
        '',
        'Confirm:',
        'https://registry.example/v1/confirm?token=t',
        '',
        '  uin     1',
        '  source  CR',
        '',
        'Attached.',
        '',
        '-- ',
        'Message id: 7',
        'Unsubscribe: https://registry.example/v1/unsubscribe?token=t',
        '',
      ].join('\n'),
    );
  });
});
