import { expect, it } from 'vitest';
import { topicName, topicTitle } from '../../../shared/domain/topics/topic.ts';

it.each([
  ['an abbreviation', 'CR'],
  ['Latin words with accents', 'état civil / naissances 2026'],
  ['a Japanese word in three scripts', '出生とカタカナ'],
  ['Korean words in Hangul and Hanja', '출생 漢字'],
  ['words in different scripts', 'CR-Рождения'],
  ['an Arabic word', 'المواليد'],
  ['an emoji', 'births 👶'],
  ['a colon', 'CR:births'],
])('a topic name may contain %s', (_what, name) => {
  expect(topicName.parse(name)).toBe(name.normalize('NFC'));
});

it.each([
  ['a Cyrillic letter in a Latin word', 'CR-Bіrths', 'scripts'],
  ['a Greek letter in a Latin word', 'Αgency', 'scripts'],
  ['full-width letters', 'ＣＲ', 'compatibility'],
  ['a ligature', 'oﬃce', 'compatibility'],
  ['a URL', 'see HTTPS://evil.example', 'URL'],
  ['a mailto link', 'mailto:a@evil.example', 'URL'],
  ['a web address without a scheme', 'Www.evil.example', 'www.'],
  ['the format of a UUID, which identifies a topic in requests', ' 0192D1A4-7C1B-8A4E-9C55-0F3A5D2B7E61 ', 'UUID'],
])('a topic name with %s is rejected', (_what, name, message) => {
  const { error } = topicName.safeParse(name);
  expect(error?.issues.map((issue) => issue.message).join()).toContain(message);
});

it.each([
  ['a hundred characters', '👶'.repeat(100)],
  ['a word of two scripts', 'Βeta-Test'],
])('a topic title may have %s', (_what, title) => {
  expect(topicTitle.parse(title)).toBe(title);
});

it.each([
  ['more than a hundred characters', '👶'.repeat(101), 'at most 100'],
  ['full-width letters', 'ＣＲ', 'compatibility'],
  ['a URL', 'see HTTPS://evil.example', 'URL'],
  ['a mark that reverses text', 'CR\u202e', 'U+202E'],
  ['no characters', ' ', 'blank'],
])('a topic title with %s is rejected', (_what, title, message) => {
  const { error } = topicTitle.safeParse(title);
  expect(error?.issues.map((issue) => issue.message).join()).toContain(message);
});
