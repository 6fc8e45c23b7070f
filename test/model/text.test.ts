import { describe, expect, it } from 'vitest';
import { lineOfText, uuid } from '../../shared/model/text.ts';
import { topicName } from '../../shared/model/topics/topic.ts';

describe('a line of text', () => {
  it.each([
    [' CR ', 'CR'],
    ['e\u0301tat', '\u00e9tat'],
    ['x'.repeat(256), 'x'.repeat(256)],
    [`  ${'x'.repeat(256)}  `, 'x'.repeat(256)],
  ])('reads %j', (text, expected) => {
    expect(lineOfText.parse(text)).toBe(expected);
  });

  it.each(['', '   ', 'x'.repeat(257), 'a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', '\udc00', 'a\ud83d'])(
    'refuses %j',
    (text) => {
      expect(lineOfText.safeParse(text).success).toBe(false);
    },
  );
});

describe('the name of a topic', () => {
  it('must not look like a UUID, because it may stand in the place of one', () => {
    expect(topicName.parse(' civil registry ')).toBe('civil registry');
    expect(topicName.safeParse('0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61').error?.issues[0]?.message).toContain('UUID');
    expect(topicName.safeParse(' 0192D1A4-7C1B-8A4E-9C55-0F3A5D2B7E61 ').success).toBe(false);
    expect(topicName.safeParse('x'.repeat(257)).success).toBe(false);
  });
});

describe('a uuid', () => {
  it('is read in either case into its canonical form', () => {
    expect(uuid.parse('0192D1A4-7C1B-8A4E-9C55-0F3A5D2B7E61')).toBe('0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61');
  });

  it.each([
    '',
    'CR',
    '0192d1a47c1b8a4e9c550f3a5d2b7e61',
    '{0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61}',
    '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61 ',
  ])('is not %j', (text) => {
    expect(uuid.safeParse(text).success).toBe(false);
  });
});
