import { ClientError } from '../client-errors.ts';
import { hasValidCheckDigit } from './check-digit.ts';

/**
 * If the UIN is a number with a wrong check digit, returns a hint that the UIN may be mistyped. Otherwise, returns an
 * empty string. Use the hint only if no person has the UIN, because registries may contain UINs without check digits.
 */
export const typingError = (uin: string): string =>
  /^\d+$/.test(uin) && !hasValidCheckDigit(uin)
    ? ': check for a mistyped digit, because the check digit (ISO/IEC 7064) is wrong'
    : '';

export const unknownPerson = (uin: string): ClientError =>
  new ClientError('unknownPerson', `no person has the uin in the path${typingError(uin)}`);
