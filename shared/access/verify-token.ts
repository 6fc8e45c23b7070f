import { JwtVerifier } from 'aws-jwt-verify';
import {
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { issuerKeyTimes } from '../contract/authorizer.ts';
import type { SettingValues } from '../contract/settings.ts';
import { InternalError } from '../domain/internal-errors.ts';
import type { Claims } from './decide.ts';

const reasons = [
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not yet valid'],
  [JwtInvalidSignatureError, 'signature'],
  [JwtInvalidSignatureAlgorithmError, 'algorithm'],
  [KidNotFoundInJwksError, 'key unknown'],
] as const;

/** The reason for rejecting a token, as it appears in the log. */
export type RejectionReason = (typeof reasons)[number][1] | 'malformed' | 'issuer' | 'audience' | 'no expiry' | 'crit';

/** Returns the rejection reason for an error from the verifier. Unknown errors are reported as `malformed`. */
const reasonOf = (error: JwtBaseError): RejectionReason =>
  reasons.find(([kind]) => error instanceof kind)?.[1] ?? 'malformed';

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

const keysTimeoutMs = 3000;

/** Fetches the issuer's keys. The `oidcJwksUri` setting must be an https URL unless its host is the local machine. */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const response = await fetch(uri, { signal: AbortSignal.timeout(keysTimeoutMs), redirect: 'error' });
  if (!response.ok) throw new InternalError('keysRefused', { answeredStatus: response.status });
  return response.arrayBuffer();
}

// Cognito access tokens have `client_id` instead of `aud`.
const audiencesOf = (claims: Claims): unknown[] => [claims.aud ?? claims.client_id].flat();

const isKeepable = (claim: unknown): boolean => typeof claim !== 'string' || claim.isWellFormed();

/** A token must name at least one of the accepted audiences (`oidcAudience`). */
type VerifierOptions = SettingValues<'oidcIssuer' | 'oidcAudience' | 'oidcJwksUri'> & {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /**
   * Called when the issuer's cached keys cannot be renewed. Further failures are not reported until the keys have been
   * read successfully again.
   */
  readonly onError: (fault: InternalError) => void;
};

const { renewMinutes, retrySeconds, pauseSeconds, keptHours } = issuerKeyTimes;

/**
 * Runs token checks with the issuer's current keys. A token check must throw `KidNotFoundInJwksError` if the token's
 * key is unknown. The keys are read again after ten minutes, and immediately if a token names an unknown key. If a key
 * remains unknown after a read, unknown keys cause no further read for ten seconds. If the issuer is unavailable, the
 * cached keys remain valid for six hours.
 * @param read reads the issuer's keys and replaces the cached keys
 * @throws the error from `read` if no keys are valid
 */
function issuerKeys(read: () => Promise<void>, { now, onError }: Pick<VerifierOptions, 'now' | 'onError'>) {
  let reading: Promise<void> | undefined;
  let [readAt, askedAt, missedAt] = [-Infinity, -Infinity, -Infinity];
  let isStale = false;

  async function ask(): Promise<void> {
    askedAt = now();
    try {
      await read();
      readAt = askedAt;
      isStale = false;
    } catch (error) {
      if (now() - readAt >= keptHours * 3_600_000) throw error;
      if (!isStale) onError(new InternalError('staleKeys', { keptHours }, error));
      isStale = true;
    }
  }

  /** Reads the keys. Concurrent callers share one read. */
  function renew(): Promise<void> {
    reading ??= ask().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function isDue(): boolean {
    const age = now() - readAt;
    if (age >= keptHours * 3_600_000) return true;
    return age >= renewMinutes * 60_000 && now() - askedAt >= retrySeconds * 1000;
  }

  const withKeys = async (check: () => Claims): Promise<Claims> => {
    if (!isDue()) {
      try {
        return check();
      } catch (error) {
        const isPause = reading === undefined && now() - missedAt < pauseSeconds * 1000;
        if (!(error instanceof KidNotFoundInJwksError) || isPause) throw error;
      }
    }
    await renew();
    try {
      return check();
    } catch (error) {
      if (error instanceof KidNotFoundInJwksError) missedAt = now();
      throw error;
    }
  };
  return { withKeys, renew };
}

/**
 * Creates a function that verifies the signature, issuer, audience, `exp` (required) and `nbf` of an access token.
 * Tokens with a symmetric algorithm or a critical extension are rejected.
 * @returns the claims, or the reason for rejecting the token
 * @throws if the keys cannot be fetched
 */
export function tokenVerifier({ oidcIssuer, oidcAudience, oidcJwksUri, now, onError }: VerifierOptions) {
  const jwksCache = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  const verifier = JwtVerifier.create({ issuer: oidcIssuer, audience: null, jwksUri: oidcJwksUri }, { jwksCache });
  const read = async (): Promise<void> => {
    const keys = await jwksCache.getJwks(oidcJwksUri).catch((error: unknown) => {
      throw error instanceof JwtBaseError ? new InternalError('unreadableKeys', {}, error) : error;
    });
    // `cacheJwks` also clears the verifier's cache of parsed keys.
    verifier.cacheJwks(keys);
  };
  const { withKeys, renew } = issuerKeys(read, { now, onError });
  const check = (token: string): Claims => {
    try {
      return verifier.verifySync(token);
    } catch (error) {
      if (error instanceof JwtBaseError) throw error;
      // Other errors come from OpenSSL. An OpenSSL error means that the key does not match the token's `alg`.
      throw new JwtInvalidSignatureAlgorithmError(String(error), undefined, undefined);
    }
  };
  const verify = async (token: string): Promise<Claims | RejectionReason> => {
    try {
      // Check the issuer first, because the verifier caches keys for every `iss`, even if the token is forged.
      const { header, payload } = decomposeUnverifiedJwt(token);
      if (payload.iss !== oidcIssuer) return 'issuer';
      const claims = await withKeys(() => check(token));
      // RFC 7515 section 4.1.11: `crit` lists required extensions, none of which the service supports.
      if ('crit' in header) return 'crit';
      const isMeant = audiencesOf(claims).some((audience) => oidcAudience.includes(String(audience)));
      if (!isMeant) return 'audience';
      if (claims.exp === undefined) return 'no expiry';
      // JSON strings can contain lone surrogates, which cannot be stored.
      return Object.values(claims).every(isKeepable) ? claims : 'malformed';
    } catch (error) {
      if (error instanceof JwtBaseError) return reasonOf(error);
      throw error;
    }
  };
  /**
   * Reads the issuer's keys before the first token is verified.
   * @throws if the keys cannot be fetched
   */
  return Object.assign(verify, { readKeys: renew });
}
