import { JwtVerifier } from 'aws-jwt-verify';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { Fault } from '../model/faults.ts';
import type { Claims } from './decide.ts';

const keysTimeoutMs = 3000;

/** Fetches the issuer's keys over https, or over http where the deployment says so (a laptop). */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const response = await fetch(uri, { signal: AbortSignal.timeout(keysTimeoutMs), redirect: 'error' });
  if (!response.ok) throw new Fault('keysRefused', { answeredStatus: response.status });
  return response.arrayBuffer();
}

// Cognito's access tokens carry no `aud` but the client's id.
const audiencesOf = (claims: Claims): unknown[] => [claims.aud ?? claims.client_id].flat();

interface Issuer {
  readonly oidcIssuer: string;
  /** The token must name one of them. */
  readonly oidcAudience: readonly string[];
  readonly oidcJwksUri: string;
}

/**
 * Checks access tokens: signature by the issuer's JWKS (cached), algorithm asymmetric, `iss`, audience, `exp` present and
 * `nbf`. @returns the claims, or undefined for a token that is not good here. @throws when the keys cannot be fetched
 */
export function tokenVerifier({ oidcIssuer, oidcAudience, oidcJwksUri }: Issuer) {
  const verifier = JwtVerifier.create(
    { issuer: oidcIssuer, audience: null, jwksUri: oidcJwksUri },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return async (token: string): Promise<Claims | undefined> => {
    try {
      const claims = await verifier.verify(token);
      const isMeant = audiencesOf(claims).some((audience) => oidcAudience.includes(String(audience)));
      return claims.exp !== undefined && isMeant ? claims : undefined;
    } catch (error) {
      if (error instanceof JwtBaseError) return undefined;
      throw error;
    }
  };
}
