import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '../../../shared/domain/persons/check-digit.ts';
import { mintUin } from '../../../shared/domain/persons/mint-uin.ts';
import { seededBytes } from '../../harness/random.ts';

const lengths = fc.integer({ min: 8, max: 19 });
const minted = fc.tuple(lengths, fc.nat()).map(([length, seed]) => mintUin(length, seededBytes(seed)));

const replaceAt = (number: string, index: number, digit: string): string =>
  number.slice(0, index) + digit + number.slice(index + 1);

describe('mintUin', () => {
  it('gives a number of the asked length, first digit 1-9, with a valid check digit', () => {
    fc.assert(
      fc.property(lengths, fc.nat(), (length, seed) => {
        const uin = mintUin(length, seededBytes(seed));
        expect(uin).toMatch(new RegExp(`^[1-9]\\d{${length - 1}}$`));
        expect(hasValidCheckDigit(uin)).toBe(true);
      }),
    );
  });

  it('gives a number in which every single wrong digit shows', () => {
    fc.assert(
      fc.property(minted, (uin) => {
        for (const index of uin.split('').keys()) {
          for (const digit of '0123456789') {
            if (digit === uin[index]) continue;
            expect(hasValidCheckDigit(replaceAt(uin, index, digit))).toBe(false);
          }
        }
      }),
    );
  });

  it('gives a number in which every swap of different neighbours shows', () => {
    fc.assert(
      fc.property(minted, (uin) => {
        for (let index = 0; index < uin.length - 1; index++) {
          const [one, other] = [uin.charAt(index), uin.charAt(index + 1)];
          if (one === other) continue;
          expect(hasValidCheckDigit(replaceAt(replaceAt(uin, index, other), index + 1, one))).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([0, 250, 255])('throws when the random source is stuck at %i', (byte) => {
    expect(() => mintUin(12, (count) => new Uint8Array(count).fill(byte))).toThrow('does not vary');
  });

  it('throws when the random source gives nothing', () => {
    expect(() => mintUin(12, () => new Uint8Array(0))).toThrow('does not vary');
  });

  it('follows its random source and nothing else', () => {
    expect(mintUin(12, seededBytes(1))).toBe(mintUin(12, seededBytes(1)));
    expect(mintUin(12, seededBytes(1))).not.toBe(mintUin(12, seededBytes(2)));
  });

  it('does not prefer bytes: those from 250 on would make low digits likelier and are left out', () => {
    const plain = seededBytes(3);
    const salted = (count: number) => Uint8Array.from(plain(count)).map((byte, index) => (index % 2 ? byte : 251));
    const unsalted = seededBytes(3);
    const odd = (count: number) => unsalted(count).filter((_, index) => index % 2);
    expect(mintUin(12, salted)).toBe(mintUin(12, odd));
  });

  it('spreads the digits evenly over every place', () => {
    const random = seededBytes(20_240_301);
    const draws = 5000;
    const uins = Array.from({ length: draws }, () => mintUin(12, random));
    expect(new Set(uins).size).toBe(draws);
    for (let place = 0; place < 12; place++) {
      const digits = place === 0 ? '123456789' : '0123456789';
      const expected = draws / digits.length;
      const chiSquare = [...digits]
        .map((digit) => uins.filter((uin) => uin[place] === digit).length)
        .reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // Nine degrees of freedom: a fair source stays under 40 in all but one of 100,000 places.
      expect(chiSquare, `place ${place}`).toBeLessThan(40);
    }
  });
});
