import { describe, expect, it } from 'vitest';
import type { MailContent } from '../../../shared/delivery/email/mail-content.ts';
import { renderMailHtml } from '../../../shared/delivery/email/render-mail-html.ts';
import { aMailFrame, fullLetterhead } from '../../harness/mail-frames.ts';

const frame = aMailFrame();

const attack = "\"><script>alert('1')</script>&";
const content: MailContent = {
  subject: attack,
  heading: attack,
  opening: attack,
  button: { url: `https://registry.example/?${attack}`, label: attack, address: attack },
  rows: [{ label: attack, value: attack }],
  others: { heading: attack, rows: [{ label: attack, value: attack }], rest: attack },
  excerpt: attack,
  closing: attack,
  notes: [attack],
  link: { url: `https://registry.example/?${attack}`, label: attack },
};

describe('an email as HTML', () => {
  it('an HTML email shows markup in values as plain text', () => {
    const page = renderMailHtml(frame, content);
    expect(page).not.toContain('<script');
    expect(page.match(/&lt;script&gt;/g)).toHaveLength(19);
    expect(page).not.toContain('"https://registry.example/?">');
  });

  it('the links in an HTML email open in a new tab, because our pages cannot be shown in a frame', () => {
    const links = renderMailHtml(frame, content).match(/<a [^>]*>/g) ?? [];
    expect(links).toHaveLength(3);
    for (const link of links) expect(link).toContain('" target="_blank" rel="noopener" ');
  });

  it('an HTML email loads no resources and runs no scripts', () => {
    const page = renderMailHtml(frame, { subject: 's', heading: 'h', opening: 'o', rows: [], closing: 'c', notes: [] });
    expect(page).not.toMatch(/<(?:img|link|script|iframe)\b|\bsrc=|url\(|@import|\son\w+=/i);
  });

  it('an HTML email has a dark-mode colour for every element that has a light-mode colour', () => {
    const page = renderMailHtml(frame, content);
    const [, dark = ''] = /<style>\s*@media\(prefers-color-scheme:dark\)\{([\s\S]*)\}<\/style>/.exec(page) ?? [];
    const colored = [...page.matchAll(/<\w+([^>]*\sstyle="[^"]*\b(?:color|background):#[^>]*)>/g)].map(
      ([, one]) => one,
    );
    expect(colored.length).toBeGreaterThan(15);
    for (const element of colored) {
      const [, names = ''] = /\sclass="([^"]+)"/.exec(element ?? '') ?? [];
      expect(names, element).not.toBe('');
      for (const name of names.split(' ')) expect(dark).toContain(`.${name}{`);
    }
  });

  it('an HTML email isolates the text direction of values from publishers and callers', () => {
    const page = renderMailHtml(frame, {
      ...content,
      heading: 'of \u2068<\u05d0>\u2069!',
      subject: 'of \u2068a\u2069',
    });
    expect(page).toContain('>of <bdi>&lt;\u05d0&gt;</bdi>!</h1>');
    expect(page).toContain('<title>of a</title>');
  });

  it.each([
    ['fr', 'ltr', 'left'],
    ['ar', 'rtl', 'right'],
  ] as const)(
    'an HTML email in %s declares its language and text direction on inner elements and aligns text to the start',
    (language, direction, start) => {
      const page = renderMailHtml(aMailFrame(language), content);
      expect(page.match(new RegExp(` lang="${language}" dir="${direction}"`, 'g'))).toHaveLength(2);
      // Only the excerpt has its own direction.
      expect(new Set(page.match(/text-align:\w+/g))).toEqual(new Set([`text-align:${start}`, 'text-align:start']));
    },
  );

  it('an HTML email shows the logo, name, contact and privacy notice from the letterhead', () => {
    const page = renderMailHtml(aMailFrame('en', { letterhead: fullLetterhead }), content);
    expect(page).toContain('<img src="cid:logo" alt=""');
    for (const words of [
      fullLetterhead.name,
      'href="mailto:help@registry.example"',
      `href="${fullLetterhead.privacyUrl}"`,
    ])
      expect(page).toContain(words);
    expect(renderMailHtml(frame, content)).not.toContain('<img');
  });
});
