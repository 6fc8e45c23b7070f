import type { StageSettings } from '../settings/settings.ts';

/** An example for a country's registry. Replace the account, the issuer, the sender and the on-call mailbox with your own. */
export const settings: StageSettings = {
  production: true,
  account: '111122223333',
  region: 'eu-central-1',
  oidcIssuer: 'https://login.government.example',
  oidcJwksUri: 'https://login.government.example/.well-known/jwks.json',
  oidcTokenUrl: 'https://login.government.example/token',
  emailSender: 'registry@government.example',
  emailsPerSecond: 50,
  emailsPerDay: 1_000_000,
  alarmEmail: 'on-call@government.example',
  warmWritesPerSecond: 12_000,
  concurrency: 900,
  waf: true,
};
