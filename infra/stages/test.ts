import type { StageSettings } from '../settings/settings.ts';

export const settings: StageSettings = {
  oidcIssuer: 'https://login.test.government.example',
  oidcJwksUri: 'https://login.test.government.example/.well-known/jwks.json',
  oidcTokenUrl: 'https://login.test.government.example/token',
  emailSender: 'registry@test.government.example',
  emailsPerSecond: 1,
  deliveryDays: 7,
  concurrency: 100,
};
