import {
  JwtExpiredError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';

/** Why a token is not taken, as the log says it. */
export type RefusalReason =
  | 'malformed'
  | 'signature'
  | 'algorithm'
  | 'key unknown'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'no expiry'
  | 'not yet valid'
  | 'crit';

/** Thrown for what the verifier itself does not look at. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}

const reasons: readonly (readonly [new (...given: never[]) => Error, RefusalReason])[] = [
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not yet valid'],
  [JwtInvalidIssuerError, 'issuer'],
  [JwtInvalidSignatureError, 'signature'],
  [JwtInvalidSignatureAlgorithmError, 'algorithm'],
  [KidNotFoundInJwksError, 'key unknown'],
];

/** The reason of an error of the verifier; what it has no word for is a token that is not what it should be. */
export const reasonOf = (error: unknown): RefusalReason =>
  error instanceof RefusedToken ? error.reason : (reasons.find(([kind]) => error instanceof kind)?.[1] ?? 'malformed');

const mostShown = 200;

// Whoever wrote the token chose it: one line of bounded length, and nothing that a terminal obeys.
const shown = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.slice(0, mostShown).replace(/[^\x20-\x7e]/g, '?') : undefined;

/** What a token that nobody has verified says of itself: who issued it, and by which key. Never the token. */
export interface ClaimedOrigin {
  readonly keyId?: string | undefined;
  readonly claimedIssuer?: string | undefined;
}

export function claimedOrigin(token: string): ClaimedOrigin {
  try {
    const { header, payload } = decomposeUnverifiedJwt(token);
    return { keyId: shown(header.kid), claimedIssuer: shown(payload.iss) };
  } catch {
    return {};
  }
}
