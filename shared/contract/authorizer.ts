import type { SettingName } from './settings.ts';

/** The Lambda authorizer for all routes that require an access token. */
export const authorizer = {
  name: 'authorize',
  file: 'access/authorize',
  reads: ['oidcIssuer', 'oidcAudience', 'oidcJwksUri', 'callerClaim', 'scopePrefix'],
  impact: 'Every request that requires an access token is rejected, because no caller can be identified.',
} as const satisfies { name: string; file: string; reads: readonly SettingName[]; impact: string };

/** The times that control how the issuer's keys are cached. */
export const issuerKeyTimes = {
  /** The maximum time for which a key remains trusted after the issuer withdraws it. */
  renewMinutes: 10,
  /** The pause between two attempts to read the keys while the issuer is unavailable. */
  retrySeconds: 60,
  /** The minimum time between two key reads that are triggered by unknown key ids. */
  pauseSeconds: 10,
  /** The maximum time for which cached keys remain valid while the issuer is unavailable. */
  keptHours: 6,
} as const;
