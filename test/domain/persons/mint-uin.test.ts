import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '../../../shared/domain/persons/check-digit.ts';
import { drawUin, type Minted, mintUin } from '../../../shared/domain/persons/mint-uin.ts';
import { seededDigits } from '../../harness/random.ts';

/** Returns a list, and a `put` function that adds each UIN to the list and returns the given results in order. */
function ending(...ways: Minted[]) {
  const tried: string[] = [];
  const put = async (uin: string): Promise<Minted> => ways[tried.push(uin) - 1] ?? { is: 'taken' };
  return { tried, put };
}

describe('mintUin', () => {
  it('mintUin returns the first free UIN', async () => {
    const { tried, put } = ending({ is: 'taken' }, { is: 'taken' }, { is: 'minted' });
    expect(await mintUin(12, seededDigits(1), put)).toBe(tried[2]);
    expect(new Set(tried).size).toBe(3);
  });

  it('mintUin returns the original UIN for a repeated request without generating another UIN', async () => {
    const { tried, put } = ending({ is: 'replayed', uin: '17' });
    expect(await mintUin(12, seededDigits(1), put)).toBe('17');
    expect(tried).toHaveLength(1);
  });

  it('mintUin throws an error if every UIN is taken or if `put` fails', async () => {
    const { tried, put } = ending();
    await expect(mintUin(8, seededDigits(1), put)).rejects.toThrow(/noFreeNumber: .*draws 10/);
    expect(tried).toHaveLength(10);
    const failing = () => Promise.reject(new Error('no table'));
    await expect(mintUin(8, seededDigits(1), failing)).rejects.toThrow('no table');
  });
});

const lengths = fc.integer({ min: 8, max: 19 });
const minted = fc.tuple(lengths, fc.nat()).map(([length, seed]) => drawUin(length, seededDigits(seed)));

const replaceAt = (number: string, index: number, digit: string): string =>
  number.slice(0, index) + digit + number.slice(index + 1);

describe('drawUin', () => {
  it('mintUin returns a UIN of the given length that starts with a digit from 1 to 9 and has a valid check digit', () => {
    fc.assert(
      fc.property(lengths, fc.nat(), (length, seed) => {
        const uin = drawUin(length, seededDigits(seed));
        expect(uin).toMatch(new RegExp(`^[1-9]\\d{${length - 1}}$`));
        expect(hasValidCheckDigit(uin)).toBe(true);
      }),
    );
  });

  it('mintUin returns a UIN whose check digit detects any single wrong digit', () => {
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

  it('mintUin returns a UIN whose check digit detects any swap of two different adjacent digits', () => {
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

  it('mintUin throws an error if the random source always returns 0', () => {
    expect(() => drawUin(12, () => 0)).toThrow('do not vary');
  });

  it('mintUin returns the same UIN for the same random digits', () => {
    expect(drawUin(12, seededDigits(1))).toBe(drawUin(12, seededDigits(1)));
    expect(drawUin(12, seededDigits(1))).not.toBe(drawUin(12, seededDigits(2)));
  });

  it('mintUin distributes the digits evenly in every position', () => {
    const random = seededDigits(20_240_301);
    const draws = 5000;
    const uins = Array.from({ length: draws }, () => drawUin(12, random));
    expect(new Set(uins).size).toBe(draws);
    for (let place = 0; place < 12; place++) {
      const digits = place === 0 ? '123456789' : '0123456789';
      const expected = draws / digits.length;
      const chiSquare = [...digits]
        .map((digit) => uins.filter((uin) => uin[place] === digit).length)
        .reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // If the digits are random, chi-squared with nine degrees of freedom is below 40 in 99,999 of 100,000 positions.
      expect(chiSquare, `position ${place}`).toBeLessThan(40);
    }
  });
});
