import type { SettingName } from './settings.ts';

/** The Lambda authorizer in front of every route. */
export const authorizer = {
  name: 'authorize',
  file: 'access/authorize',
  reads: ['oidcIssuer', 'oidcAudience', 'oidcJwksUri'],
  impact: 'Every request is refused: nobody can be recognised.',
} as const satisfies { name: string; file: string; reads: readonly SettingName[]; impact: string };
