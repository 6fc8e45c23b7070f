import type { StageSettings } from '../settings/settings.ts';

/** An example of a stage in which a release is tried beside the registry of a country. */
export const settings: StageSettings = {
  oidcIssuer: 'https://login.test.government.example',
  oidcJwksUri: 'https://login.test.government.example/.well-known/jwks.json',
  oidcTokenUrl: 'https://login.test.government.example/token',
  emailSender: 'registry@test.government.example',
  emailsPerSecond: 1,
  ledgerDays: 7,
  concurrency: 100,
};
