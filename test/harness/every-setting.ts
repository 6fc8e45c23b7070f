import { settings } from '../../shared/contract/settings.ts';

const { oidcIssuer, oidcJwksUri, oidcTokenUrl } = settings;

/** A production stage that uses every optional feature. */
export const everySetting = {
  stage: 'prod',
  waf: 'true',
  trustedNetworks: '198.51.100.0/24,2001:db8::/48',
  vpc: 'make',
  vpcFor: 'all',
  domainName: 'registry.government.example',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0198d5a2-7f1c-7c3e-9b5a-3f1e2d4c5b6a',
  hostedZoneId: 'Z0123456789ABC',
  domainOnly: 'true',
  identityProvider: 'cognito',
  tracing: 'true',
  keyArn: 'make',
  backupDays: '35',
  backupLockMode: 'compliance',
  backupCopyVaultArn: 'arn:aws:backup:eu-west-1:444455556666:backup-vault:registry',
  documentTieringDays: '30',
  oidcIssuer: oidcIssuer.default,
  oidcJwksUri: oidcJwksUri.default,
  oidcTokenUrl: oidcTokenUrl.default,
};
