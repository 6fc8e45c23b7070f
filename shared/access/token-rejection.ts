import {
  JwtExpiredError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';

const reasons = [
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not yet valid'],
  [JwtInvalidIssuerError, 'issuer'],
  [JwtInvalidSignatureError, 'signature'],
  [JwtInvalidSignatureAlgorithmError, 'algorithm'],
  [KidNotFoundInJwksError, 'key unknown'],
] as const;

/** The reason for rejecting a token, as it appears in the log. */
export type RejectionReason = (typeof reasons)[number][1] | 'malformed' | 'audience' | 'no expiry' | 'crit';

/** Thrown when a token passes the verifier but fails an additional check. */
export class RejectedToken extends Error {
  override readonly name = 'RefusedToken';
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Returns the rejection reason for an error from the verifier. Unknown errors are reported as `malformed`. */
export const reasonOf = (error: unknown): RejectionReason =>
  error instanceof RejectedToken ? error.reason : (reasons.find(([kind]) => error instanceof kind)?.[1] ?? 'malformed');

const maxLength = 200;

// The text in a token may come from an attacker. Shorten the text and replace unprintable characters before logging.
const printable = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.slice(0, maxLength).replace(/[^\x20-\x7e]/g, '?') : undefined;

/** Returns the issuer and the key id claimed by an unverified token. */
export function claimedOrigin(token: string) {
  try {
    const { header, payload } = decomposeUnverifiedJwt(token);
    return { keyId: printable(header.kid), claimedIssuer: printable(payload.iss) };
  } catch {
    return {};
  }
}

export type ClaimedOrigin = ReturnType<typeof claimedOrigin>;
