/** Returns the check digit of a number (ISO/IEC 7064 MOD 11,10). @param digits the digits before the check digit */
export function checkDigitOf(digits: string): string {
  let product = 10;
  for (const digit of digits) {
    const sum = (product + Number(digit)) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return String((11 - product) % 10);
}

/** Returns whether the last digit is the correct check digit (ISO/IEC 7064 MOD 11,10). */
export const hasValidCheckDigit = (number: string): boolean =>
  /^\d{2,}$/.test(number) && checkDigitOf(number.slice(0, -1)) === number.at(-1);

const swapAt = (number: string, index: number): string =>
  number.slice(0, index) + number.charAt(index + 1) + number.charAt(index) + number.slice(index + 2);

/**
 * Returns whether every swap of two different adjacent digits makes the check digit wrong. MOD 11,10 guarantees only
 * that single-digit errors are detected, so UINs with an undetectable swap are not issued.
 */
export function catchesTranspositions(number: string): boolean {
  for (let index = 0; index < number.length - 1; index++) {
    if (number.charAt(index) === number.charAt(index + 1)) continue;
    if (hasValidCheckDigit(swapAt(number, index))) return false;
  }
  return true;
}
