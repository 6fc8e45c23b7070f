import type { App } from 'aws-cdk-lib';
import { besideStacks, namesOf } from '../../shared/contract/deployment-names.ts';
import type { Bundle } from '../build/bundle.ts';
import { ObservabilityStack } from '../observability-stack.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { IdentityProviderStack } from './identity-provider-stack.ts';
import { NetworkStack } from './network-stack.ts';
import { ProtectionStack } from './protection-stack.ts';
import { ServiceStack } from './service-stack.ts';

/** The address that callers know where they come by a domain. */
function ownAddress({ baseUrl, domainName }: DeploymentSettings): string {
  return baseUrl === '' && domainName !== '' ? `https://${domainName}` : baseUrl;
}

/**
 * Makes the stacks of a deployment: the service, what watches it, and what its settings ask for beside it.
 * @returns the name of the service's stack, with which those of the others begin
 */
export function makeStacks(app: App, given: DeploymentSettings, bundleOf: (file: string) => Bundle): string {
  const stackName = namesOf(given.stage).stack;
  const unmade = settingValue(given, 'firstDeployment');
  // CloudFormation cannot take back a protected stack whose first deployment failed, nor make it anew.
  const protect = (name: string) => ({
    terminationProtection: settingValue(given, 'production') && !unmade.includes(name),
  });
  const [identityProvider, ofNetwork, observability, protection] = besideStacks(stackName);
  const provider =
    given.identityProvider === ''
      ? undefined
      : new IdentityProviderStack(app, identityProvider, { ...protect(identityProvider), settings: given });
  // What another stack gives is filled in on deployment: these values are no text that a schema could check.
  const settings = { ...given, baseUrl: ownAddress(given), ...provider?.derived };
  const network =
    given.vpc === '' && given.vpcId === ''
      ? undefined
      : new NetworkStack(app, ofNetwork, { ...protect(ofNetwork), settings }).network;
  const service = new ServiceStack(app, stackName, {
    ...protect(stackName),
    ...{ settings, bundleOf },
    ...(network && { network }),
  });
  new ObservabilityStack(app, observability, { ...protect(observability), settings, service });
  if (settingValue(given, 'waf')) new ProtectionStack(app, protection, { ...protect(protection), settings, service });
  return stackName;
}
