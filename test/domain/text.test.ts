import { describe, expect, it } from 'vitest';
import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { lineOfText, plainLine, uuid } from '../../shared/domain/text.ts';
import { topicName } from '../../shared/domain/topics/topic.ts';

describe('lineOfText', () => {
  it.each([
    [' CR ', 'CR'],
    ['e\u0301tat', '\u00e9tat'],
    ['x'.repeat(256), 'x'.repeat(256)],
    [`  ${'x'.repeat(256)}  `, 'x'.repeat(256)],
  ])('accepts %j', (text, expected) => {
    expect(lineOfText.parse(text)).toBe(expected);
  });

  it.each(['', '   ', 'x'.repeat(257), 'a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', '\udc00', 'a\ud83d'])(
    'rejects %j',
    (text) => {
      expect(lineOfText.safeParse(text).success).toBe(false);
    },
  );
});

describe('plainLine', () => {
  it.each([
    'état civil',
    '出生',
    'مواليد',
    'जन्म',
    '生まれ',
    'Births & deaths (2026) – CR/7',
    '❤️',
    '1\ufe0f\u20e3',
    "Côte d'Ivoire",
  ])('accepts %j', (text) => {
    expect(plainLine.parse(text)).toBe(text.normalize('NFC'));
  });

  it.each([
    ['200B', 'zero width space'],
    ['200C', 'zero width non-joiner'],
    ['200D', 'zero width joiner'],
    ['2060', 'word joiner'],
    ['FEFF', 'byte order mark'],
    ['00AD', 'soft hyphen'],
    ['202E', 'right-to-left override'],
    ['2066', 'left-to-right isolate'],
    ['061C', 'Arabic letter mark'],
    ['00A0', 'no-break space'],
    ['3000', 'ideographic space'],
    ['2028', 'line separator'],
    ['3164', 'Hangul filler'],
    ['2800', 'empty braille pattern'],
    ['E0041', 'tag'],
    ['E000', 'private use'],
    ['0378', 'unassigned'],
    ['FFFD', 'replacement character'],
    ['FE0F', 'variation selector without an emoji'],
    ['16FE4', 'Khitan small script filler'],
    ['13430', 'Egyptian hieroglyph vertical joiner'],
    ['1D159', 'musical symbol null notehead'],
  ])('plainLine rejects U+%s (%s) with a message that names the character', (code) => {
    const text = `a${String.fromCodePoint(Number.parseInt(code, 16))}b`;
    expect(plainLine.safeParse(text).error?.issues[0]?.message).toContain(`must not contain U+${code}:`);
    expect(topicName.safeParse(text).success).toBe(false);
    expect(publishEvent.request.query.subject.schema.safeParse(text).success).toBe(false);
  });

  it.each(['CR1\ufe0f', 'CR\ufe0f\u20e3', '#\ufe0f', '❤\ufe0f\ufe0f', '\ufe0fCR'])(
    'plainLine rejects a variation selector without an emoji: %j',
    (text) => {
      expect(plainLine.safeParse(text).error?.issues[0]?.message).toContain('must not contain U+FE0F:');
    },
  );

  it('rejects control characters', () => {
    expect(plainLine.safeParse('a\u0007b').error?.issues[0]?.message).toContain('control characters');
  });
});

describe('the uuid schema', () => {
  it('converts a UUID to lower case', () => {
    expect(uuid.parse('0192D1A4-7C1B-8A4E-9C55-0F3A5D2B7E61')).toBe('0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61');
  });

  it.each([
    '',
    'CR',
    '0192d1a47c1b8a4e9c550f3a5d2b7e61',
    '{0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61}',
    '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61 ',
  ])('rejects %j', (text) => {
    expect(uuid.safeParse(text).success).toBe(false);
  });
});
