import { InternalError } from '../internal-errors.ts';
import { catchesTranspositions, checkDigitOf } from './check-digit.ts';

/** The caller and time (RFC 3339) of a registration. They are stored with the person but never returned. */
export interface Registered {
  readonly registeredBy: string;
  readonly registeredAt: string;
}

const maxDigitDraws = 200;

/**
 * Draws a random UIN that ends with a check digit (ISO/IEC 7064 MOD 11,10).
 * @param length the number of digits, from 8 to 19
 * @param randomDigit returns a random number from 0 to 9
 */
export function drawUin(length: number, randomDigit: () => number): string {
  for (let attempt = 0; attempt < maxDigitDraws; attempt++) {
    const number = Array.from({ length: length - 1 }, randomDigit).join('');
    const uin = number + checkDigitOf(number);
    if (!uin.startsWith('0') && catchesTranspositions(uin)) return uin;
  }
  throw new InternalError('poorRandomness', { draws: maxDigitDraws });
}

/**
 * The result of storing a person under a UIN. The result is `replayed` if an earlier request has already stored the
 * person.
 */
export type Minted =
  | { readonly is: 'minted' }
  | { readonly is: 'taken' }
  | { readonly is: 'replayed'; readonly uin: string };

const maxUinDraws = 10;

/**
 * Draws UINs until one is free, stores the person under the free UIN, and returns the UIN.
 * @param put stores the person under a UIN
 * @throws InternalError if ten UINs in a row are taken
 */
export async function mintUin(
  length: number,
  randomDigit: () => number,
  put: (uin: string) => Promise<Minted>,
): Promise<string> {
  for (let draw = 0; draw < maxUinDraws; draw++) {
    const uin = drawUin(length, randomDigit);
    const minted = await put(uin);
    if (minted.is === 'minted') return uin;
    if (minted.is === 'replayed') return minted.uin;
  }
  throw new InternalError('noFreeNumber', { draws: maxUinDraws });
}
