import { describe, expect, it } from 'vitest';
import { catchesTranspositions, checkDigitOf, hasValidCheckDigit } from '../../../shared/domain/persons/check-digit.ts';

describe('the check digit', () => {
  it.each([
    ['0794', '5', 'an example from the standard'],
    ['8609574271', '9', 'the first example from the German tax office'],
    ['6592997048', '9', 'the second example from the German tax office'],
    ['9457740319', '4', 'a Croatian OIB'],
  ])('for %s is %s (%s)', (digits, expected) => {
    expect(checkDigitOf(digits)).toBe(expected);
    expect(hasValidCheckDigit(digits + expected)).toBe(true);
  });

  it.each(['', '5', '07946', '0794x', '0794 5', '٠٧٩٤٥'])('is invalid in the number %j', (number) => {
    expect(hasValidCheckDigit(number)).toBe(false);
  });

  it('the check digit does not detect every swap of adjacent digits, and catchesTranspositions returns false for such numbers', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'));
    const swapped = (number: string, at: number) =>
      number.slice(0, at) + number.charAt(at + 1) + number.charAt(at) + number.slice(at + 2);
    const isMissed = (number: string) =>
      [0, 1, 2, 3].some((at) => swapped(number, at) !== number && hasValidCheckDigit(swapped(number, at)));
    const withCheck = numbers.map((digits) => digits + checkDigitOf(digits));
    const missed = withCheck.filter(isMissed);
    expect(missed.length).toBeGreaterThan(0);
    expect(withCheck.filter((number) => !catchesTranspositions(number))).toEqual(missed);
  });
});
