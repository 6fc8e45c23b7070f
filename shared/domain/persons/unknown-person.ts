import { Refusal } from '../../model/refusals.ts';
import { hasValidCheckDigit } from './check-digit.ts';

/**
 * What there is to say of a number that nobody has and that was never minted: who typed it may see the error; empty for any
 * other text. Registries may hold numbers of other kinds, so this says nothing of one that somebody has.
 */
export const typingError = (uin: string): string =>
  /^\d+$/.test(uin) && !hasValidCheckDigit(uin)
    ? ': look for a mistyped digit, for the check digit (ISO/IEC 7064) is not that of a number minted here'
    : '';

/** The refusal of a UIN that nobody has. */
export const unknownPerson = (uin: string): Refusal =>
  new Refusal('unknownPerson', `no person has the uin in the path${typingError(uin)}`);
