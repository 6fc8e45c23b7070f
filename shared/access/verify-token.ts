import { JwtVerifier } from 'aws-jwt-verify';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { Fault } from '../model/faults.ts';
import type { Claims } from './decide.ts';
import { issuerKeys } from './issuer-keys.ts';
import { type RefusalReason, RefusedToken, reasonOf } from './token-rejection.ts';

const keysTimeoutMs = 3000;

/** Fetches the issuer's keys; the setting sees to it that they come by https. */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const response = await fetch(uri, { signal: AbortSignal.timeout(keysTimeoutMs), redirect: 'error' });
  if (!response.ok) throw new Fault('keysRefused', { answeredStatus: response.status });
  return response.arrayBuffer();
}

// Cognito's access tokens carry no `aud` but the client's id.
const audiencesOf = (claims: Claims): unknown[] => [claims.aud ?? claims.client_id].flat();

const isKeepable = (claim: unknown): boolean => typeof claim !== 'string' || claim.isWellFormed();

// RFC 7515 section 4.1.11: an extension that must be understood, and we know none.
function refuseExtensions({ header }: { readonly header: object }): void {
  if ('crit' in header) throw new RefusedToken('crit');
}

interface Issuer {
  readonly oidcIssuer: string;
  /** The token must name one of them. */
  readonly oidcAudience: readonly string[];
  readonly oidcJwksUri: string;
}

interface VerifierOptions extends Issuer {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Hears of an issuer that cannot be read again. */
  readonly onFault: (fault: Fault) => void;
}

/**
 * Checks access tokens: signature by the issuer's JWKS (kept fresh by `issuerKeys`), algorithm asymmetric, no critical
 * extension, `iss`, audience, `exp` present and `nbf`.
 * @returns the claims, or undefined for a token that is not good here: `onRefused` hears why. @throws when the keys cannot
 * be fetched
 */
export function tokenVerifier({ oidcIssuer, oidcAudience, oidcJwksUri, now, onFault }: VerifierOptions) {
  const jwksCache = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  const verifier = JwtVerifier.create(
    { issuer: oidcIssuer, audience: null, jwksUri: oidcJwksUri, customJwtCheck: refuseExtensions },
    { jwksCache },
  );
  const read = async (): Promise<void> => {
    const keys = await jwksCache.getJwks(oidcJwksUri).catch((error: unknown) => {
      throw error instanceof JwtBaseError ? new Fault('unreadableKeys', {}, error) : error;
    });
    // The verifier forgets what it has made of the keys before.
    verifier.cacheJwks(keys);
  };
  const { withKeys, renew } = issuerKeys({ read, now, onFault });
  const check = (token: string): Claims => {
    try {
      return verifier.verifySync(token);
    } catch (error) {
      // What OpenSSL says of a key that the token's `alg` does not go with is the token's fault.
      if (error instanceof JwtBaseError || error instanceof RefusedToken) throw error;
      throw new RefusedToken('algorithm');
    }
  };
  const judge = async (token: string): Promise<Claims> => {
    // The verifier keeps a key for each `iss` that it is shown, whoever wrote it.
    if (decomposeUnverifiedJwt(token).payload.iss !== oidcIssuer) throw new RefusedToken('issuer');
    const claims = await withKeys(() => check(token));
    const isMeant = audiencesOf(claims).some((audience) => oidcAudience.includes(String(audience)));
    if (!isMeant) throw new RefusedToken('audience');
    if (claims.exp === undefined) throw new RefusedToken('no expiry');
    // JSON can spell half a character; no store keeps one.
    if (!Object.values(claims).every(isKeepable)) throw new RefusedToken('malformed');
    return claims;
  };
  const verify = async (
    token: string,
    onRefused: (reason: RefusalReason) => void = () => {},
  ): Promise<Claims | undefined> => {
    try {
      return await judge(token);
    } catch (error) {
      if (!(error instanceof JwtBaseError || error instanceof RefusedToken)) throw error;
      onRefused(reasonOf(error));
      return undefined;
    }
  };
  /** Reads the keys before there is a token. @throws when they cannot be fetched */
  return Object.assign(verify, { readKeys: renew });
}
