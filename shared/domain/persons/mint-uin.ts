import { Fault } from '../../model/faults.ts';
import { catchesTranspositions, checkDigitOf } from './check-digit.ts';

const draws = 200;

/** Uniform digits from random bytes: bytes of 250 and more are left out, so that no digit is likelier than another. */
function* digitsFrom(randomBytes: (count: number) => Uint8Array): Generator<string> {
  for (;;) {
    const even = randomBytes(32).filter((byte) => byte < 250);
    if (even.length === 0) throw new Fault('poorRandomness', { draws: 1 });
    for (const byte of even) yield String(byte % 10);
  }
}

/**
 * Draws a UIN: `length` decimal digits, the first 1-9, the last an ISO/IEC 7064 MOD 11,10 check digit, with nothing of
 * the person in it. Any single-digit error and any swap of neighbours breaks the check digit.
 * @param length 8 to 19 digits
 * @param randomBytes a cryptographic source of that many bytes
 */
export function mintUin(length: number, randomBytes: (count: number) => Uint8Array): string {
  const digits = digitsFrom(randomBytes);
  const draw = () => digits.next().value as string;
  for (let attempt = 0; attempt < draws; attempt++) {
    let number = draw();
    if (number === '0') continue;
    while (number.length < length - 1) number += draw();
    const uin = number + checkDigitOf(number);
    if (catchesTranspositions(uin)) return uin;
  }
  throw new Fault('poorRandomness', { draws });
}
