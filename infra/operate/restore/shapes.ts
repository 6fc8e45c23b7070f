import { App, CfnResource, Tags } from 'aws-cdk-lib';
import { dataStack, namesOf } from '../../../shared/contract/deployment-names.ts';
import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';
import { DataStack } from '../../stacks/data-stack.ts';
import { tagsOf } from '../../stacks/stacks.ts';
import { guardedTypes } from '../deploy/stack-policy.ts';
import { refersTo } from '../functions.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

/** The definition of a table, bucket or secret in the stage's template. */
export interface Shape {
  readonly logicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The resource policy of a bucket or secret, with unresolved references. */
  readonly policy: object | undefined;
}

/** Returns the definitions of all tables, buckets and secrets by name, as if the `restored` setting were empty. */
export function readShapes(settings: DeploymentSettings): ReadonlyMap<string, Shape> {
  const app = new App({ analyticsReporting: false });
  for (const [name, value] of Object.entries(tagsOf(settings))) Tags.of(app).add(name, value);
  const id = dataStack(namesOf(settings.stage).stack);
  const stack = new DataStack(app, id, {
    settings: { ...settings, restored: '' },
    terminationProtection: settingValue(settings, 'production'),
  });
  const stores = stack.node
    .findAll()
    .filter((one): one is CfnResource => CfnResource.isCfnResource(one))
    .filter(({ cfnResourceType }) => guardedTypes.includes(cfnResourceType))
    .map(({ node, logicalId }) => [node.scope?.node.id ?? '', stack.resolve(logicalId) as string] as const);
  const { Resources } = app.synth().getStackByName(id).template as RawTemplate;
  const policyOf = (id: string): object | undefined => {
    const found = Object.values(Resources).map(({ Type, Properties = {} }) => {
      if (Type === 'AWS::SecretsManager::ResourcePolicy' && refersTo(Properties.SecretId, id))
        return Properties.ResourcePolicy;
      return Type === 'AWS::S3::BucketPolicy' && refersTo(Properties.Bucket, id)
        ? Properties.PolicyDocument
        : undefined;
    });
    return found.find((policy) => policy !== undefined) as object | undefined;
  };
  return new Map(
    stores.map(([name, logicalId]) => [
      name,
      { logicalId, properties: Resources[logicalId]?.Properties ?? {}, policy: policyOf(logicalId) },
    ]),
  );
}
