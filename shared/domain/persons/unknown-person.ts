import { ClientError } from '../client-errors.ts';
import { hasValidCheckDigit } from './check-digit.ts';

/**
 * Returns a hint about a mistyped UIN; empty unless the text is a number with a wrong check digit. Use it only for UINs
 * that no person has, because registries may contain other numbers.
 */
export const typingError = (uin: string): string =>
  /^\d+$/.test(uin) && !hasValidCheckDigit(uin)
    ? ': check for a mistyped digit, because the check digit (ISO/IEC 7064) is wrong'
    : '';

export const unknownPerson = (uin: string): ClientError =>
  new ClientError('unknownPerson', `no person has the uin in the path${typingError(uin)}`);
