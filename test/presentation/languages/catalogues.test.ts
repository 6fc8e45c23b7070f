import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/domain/language.ts';
import { mailCatalogues, pageCatalogues } from '../../../shared/presentation/languages/catalogues.ts';
import { everyMail, everyPage } from '../../harness/every-page.ts';
import { aMailFrame, aPageFrame, fullLetterhead } from '../../harness/mail-frames.ts';

type Texts = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Texts => typeof value === 'object' && value !== null;

/** Returns the paths of all texts in a catalogue. */
const pathsOf = (texts: Texts, prefix = ''): string[] =>
  Object.entries(texts).flatMap(([name, value]) =>
    isGroup(value) ? pathsOf(value, `${prefix}${name}.`) : [prefix + name],
  );

/** Returns a catalogue that records the path of each text when the text is read. */
const watched = <T extends object>(texts: T, read: Set<string>, prefix = ''): T =>
  new Proxy(texts, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name);
      if (isGroup(value)) return watched(value, read, `${prefix}${name}.`);
      read.add(prefix + name);
      return value;
    },
  });

const letterhead = fullLetterhead;
const whole = /undefined|\[object|NaN|Invalid|\$\{|\{\w*\}|#\s|<[/]?bdi>\s*<[/]bdi>/;

describe.each(languages)('the %s catalogue', (language) => {
  const pages = everyPage(aPageFrame(language, { letterhead }));
  const mails = everyMail(aMailFrame(language, { letterhead }));

  it('has no empty text, and names the institution that requests a confirmation', () => {
    expect(mailCatalogues[language].confirm.asked('births', 'Utopia')).toContain('Utopia');
    expect(JSON.stringify([pageCatalogues[language], mailCatalogues[language]])).not.toContain('""');
  });

  it('a catalogue has no unused text', () => {
    const read = { pages: new Set<string>(), mails: new Set<string>() };
    everyPage(aPageFrame(language, { texts: watched(pageCatalogues[language], read.pages) }));
    everyPage(aPageFrame(language, { letterhead, texts: watched(pageCatalogues[language], read.pages) }));
    everyMail(aMailFrame(language, { letterhead, texts: watched(mailCatalogues[language], read.mails) }));
    expect(pathsOf(pageCatalogues[language]).filter((path) => !read.pages.has(path))).toEqual([]);
    expect(pathsOf(mailCatalogues[language]).filter((path) => !read.mails.has(path))).toEqual([]);
  });

  it.each(Object.entries(pages))('renders the page %s completely', (_name, page) => {
    expect(page.replace(/<style>[\s\S]*<\/style>/, '')).not.toMatch(whole);
    expect(page.match(/<bdi>/g)?.length).toBe(page.match(/<\/bdi>/g)?.length);
  });

  it.each(Object.entries(mails))('renders the email %s completely', (_name, { subject, text, html }) => {
    for (const part of [subject, text, html]) expect(part).not.toMatch(whole);
    // Every directional isolate is closed.
    for (const line of [subject, ...text.split('\n')]) {
      const marks = line.replace(/[^\u2068\u2069]/gu, '');
      expect(marks).toMatch(/^(?:\u2068\u2069)*$/u);
    }
  });

  it('every sentence in a catalogue ends with a full stop, and no sentence starts with a space', () => {
    const { request, confirm, unsubscribed } = pageCatalogues[language];
    for (const words of [request.begins, request.repeats, confirm.lead, unsubscribed.gone])
      expect(words).toMatch(/^\S.*\.$/);
  });

  it('a catalogue has every plural form that its language needs', () => {
    const counted = [pageCatalogues[language].confirm.otherwise, mailCatalogues[language].event.more];
    const forms = (words: (count: number) => string) =>
      new Set(Array.from({ length: 120 }, (_, count) => words(count).replace(/[\d٠-٩]+/gu, '#')));
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    // The texts do not use the plural form that some languages have for a million or more.
    const usual = categories.filter((one) => one !== 'many' || language === 'ar').length;
    expect(forms(counted[0] as (count: number) => string).size).toBe(usual);
  });
});

it('the English texts for citizens contain no technical terms of the system', () => {
  const words = JSON.stringify([pageCatalogues.en, mailCatalogues.en], (_name, value) =>
    typeof value === 'function' ? value('…', '…', '…') : value,
  ).replace(/"\w+":/g, '');
  expect(words.match(/\w*(?:topic|subscri|token|client|deliver)\w*/gi)).toBeNull();
});

it('the Arabic catalogue contains no Latin letters', () => {
  const own = everyMail(aMailFrame('ar'));
  expect(own.death?.subject).toContain('تم تسجيل وفاة');
  const words = JSON.stringify([pageCatalogues.ar, mailCatalogues.ar], (name, value) =>
    name === 'writing' || name === 'locale' ? undefined : value,
  );
  expect(words.replace(/"\w+":/g, '')).not.toMatch(/[a-z]/i);
});

it('no translation contains an English text of 15 or more characters', () => {
  for (const language of languages.filter((one) => one !== 'en')) {
    const english = new Set(JSON.stringify([pageCatalogues.en, mailCatalogues.en]).match(/"[^"]{15,}"/g));
    const same = (
      JSON.stringify([pageCatalogues[language], mailCatalogues[language]]).match(/"[^"]{15,}"/g) ?? []
    ).filter((text) => english.has(text));
    expect(same.filter((text) => !/^"\w+"$/.test(text))).toEqual([]);
  }
});
