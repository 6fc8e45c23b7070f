import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../shared/domain/fold-text.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 8 }).map((points) => String.fromCodePoint(...points)),
);

describe('foldText', () => {
  it.each([
    ['JOSÉ  García', 'jose garcia'],
    ['Zoë', 'Zoe\u0308'],
    ['Müller', 'MULLER'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
    ['ᾠδή', 'ωδη'],
    ['Ёлкин', 'елкин'],
    ['İnci', 'INCI'],
    ['ﬁnn', 'Finn'],
    ['Ａｄａ', 'ada'],
    ['김', '김'.normalize('NFD')],
    ['مُحَمَّد', 'محمد'],
    [' a\u00a0\u2003b\t\nc ', 'A B C'],
  ])('foldText converts %j and %j to the same text', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['García', 'Garcia Lopez'],
    ['Ann', 'Anna'],
    ['Jo Ann', 'Joann'],
    ["O'Neil", 'ONeil'],
    ['山田', '山本'],
    ['اسد', 'اسم'],
  ])('folds %j and %j to different strings', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('foldText converts a string of combining marks and spaces to an empty string', () => {
    expect(foldText(' \u0301\u0308 ')).toBe('');
  });

  it('foldText does not change a string that is already folded', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('foldText does not change a folded string, whichever Unicode character it has between letters', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const text = `a${String.fromCodePoint(point)}b`;
      const once = foldText(text);
      if (foldText(once) !== once) expect.fail(`U+${point.toString(16)}`);
    }
  });

  it('foldText ignores letter case and the Unicode normal form', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        expect(foldText(text.normalize(form))).toBe(foldText(text));
        expect(foldText(foldText(text).toLowerCase())).toBe(foldText(text));
      }),
      { numRuns: 2000 },
    );
  });
});
