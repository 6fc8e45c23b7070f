import type { StageSettings } from '../settings/settings.ts';

/** An example of a stage for a country's registry. Replace the account, issuer, institution, sender and mailbox. */
export const settings: StageSettings = {
  production: true,
  account: '111122223333',
  region: 'eu-central-1',
  oidcIssuer: 'https://login.government.example',
  oidcJwksUri: 'https://login.government.example/.well-known/jwks.json',
  oidcTokenUrl: 'https://login.government.example/token',
  institutionName: 'National Civil Registry',
  institutionContact: 'help@government.example',
  emailSender: 'registry@government.example',
  emailSenderName: 'National Civil Registry',
  emailsPerSecond: 50,
  emailsPerDay: 1_000_000,
  alarmEmail: 'on-call@government.example',
  // AWS charges the price in infra/README.md only once. Later deployments can raise this value, but cannot lower it.
  warmWritesPerSecond: 12_000,
  documentTieringDays: 30,
  concurrency: 900,
  waf: true,
};
