import type { SettingName } from './settings.ts';

/** The Lambda authorizer in front of every route. */
export const authorizer = {
  name: 'authorize',
  file: 'access/authorize',
  reads: ['oidcIssuer', 'oidcAudience', 'oidcJwksUri', 'callerClaim'],
  impact: 'Every request is refused: nobody can be recognised.',
} as const satisfies { name: string; file: string; reads: readonly SettingName[]; impact: string };

/** How the issuer's keys are kept. */
export const issuerKeyTimes = {
  /** A key that the issuer has withdrawn is trusted for no longer. */
  renewMinutes: 10,
  /** Between two tries while the issuer cannot be read. */
  retrySeconds: 60,
  /** Between two searches for keys that the issuer does not have. */
  pauseSeconds: 10,
  /** How long keys serve while the issuer cannot be read. */
  keptHours: 6,
} as const;
