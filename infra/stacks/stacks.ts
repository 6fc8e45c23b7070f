import { type App, CfnOutput, type Environment, Tags } from 'aws-cdk-lib';
import { besideStacks, dataStack, namesOf, serviceTag } from '../../shared/contract/deployment-names.ts';
import type { Bundle } from '../build/bundle.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { DataStack } from './data-stack.ts';
import { IdentityProviderStack } from './identity-provider-stack.ts';
import { NetworkStack } from './network-stack.ts';
import { ObservabilityStack } from './observability-stack.ts';
import { ProtectionStack } from './protection-stack.ts';
import { ServiceStack } from './service-stack.ts';

function ownAddress({ baseUrl, domainName }: DeploymentSettings): string {
  return baseUrl === '' && domainName !== '' ? `https://${domainName}` : baseUrl;
}

/** If an account and a Region are set for a stack, CDK deploys the stack only there. */
const placeOf = ({ account, region }: DeploymentSettings): Environment => ({
  ...(account !== '' && { account }),
  ...(region !== '' && { region }),
});

/** Returns the tags of every resource. */
export const tagsOf = (settings: DeploymentSettings): Readonly<Record<string, string>> => ({
  ...{ service: serviceTag, stage: settings.stage },
  ...settingValue(settings, 'tags'),
});

/**
 * Creates the stacks of a deployment: the service, data and observability stacks, and any other stacks that the
 * settings require.
 * @returns the name of the service stack, which is the prefix of all other stack names
 */
export function makeStacks(app: App, given: DeploymentSettings, bundleOf: (file: string) => Bundle): string {
  const stackName = namesOf(given.stage).stack;
  const tags = tagsOf(given);
  for (const [name, value] of Object.entries(tags)) Tags.of(app).add(name, value);
  const missing = settingValue(given, 'firstDeployment');
  // New stacks are not protected, because CloudFormation can neither roll back nor recreate a protected stack whose
  // first deployment failed.
  const protect = (name: string) => ({
    env: placeOf(given),
    terminationProtection: settingValue(given, 'production') && !missing.includes(name),
    tags,
  });
  const [identityProvider, ofNetwork, observability, protection] = besideStacks(stackName);
  const provider =
    given.identityProvider === ''
      ? undefined
      : new IdentityProviderStack(app, identityProvider, { ...protect(identityProvider), settings: given });
  // Merges the derived values without checking them, because values from another stack are CDK tokens.
  const settings = { ...given, baseUrl: ownAddress(given), ...provider?.derived };
  const network =
    given.vpc === '' && given.vpcId === ''
      ? undefined
      : new NetworkStack(app, ofNetwork, { ...protect(ofNetwork), settings }).network;
  const ofData = dataStack(stackName);
  const data = new DataStack(app, ofData, { ...protect(ofData), settings });
  const keyed = { ...settings, keyArn: data.keyArn };
  const service = new ServiceStack(app, stackName, {
    ...protect(stackName),
    ...{ settings: keyed, bundleOf, data },
    ...(network && { network }),
  });
  service.addStackDependency(data);
  new ObservabilityStack(app, observability, { ...protect(observability), settings, service });
  if (settingValue(given, 'waf'))
    new ProtectionStack(app, protection, { ...protect(protection), settings: keyed, service });
  for (const kept of settingValue(given, 'keptExports')) {
    const at = kept.indexOf('=');
    const [stack = '', output = ''] = kept.slice(0, at).split(':');
    new CfnOutput(app.node.findChild(stack), output, { exportName: kept.slice(0, at), value: kept.slice(at + 1) });
  }
  return stackName;
}
