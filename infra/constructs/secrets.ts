import { RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretName, secrets } from '../../shared/contract/secrets.ts';
import { acknowledge } from './acknowledge.ts';

/** What would give a secret another value: nobody may, by a slip least of all. */
const keepValue = new PolicyStatement({
  effect: Effect.DENY,
  principals: [new AnyPrincipal()],
  actions: ['PutSecretValue', 'RotateSecret', 'UpdateSecretVersionStage'].map((action) => `secretsmanager:${action}`),
  resources: ['*'],
});

/** The secrets of `contract/secrets.ts`: random, made on the first deployment, kept when the stack goes. */
export class Secrets extends Construct {
  readonly byName: Readonly<Record<SecretName, ISecret>>;

  /** @param arnOf the ARN of a secret that is there already, and is not the stack's to make; empty for all others */
  constructor(scope: Construct, id: string, { arnOf }: { readonly arnOf: (secret: SecretName) => string }) {
    super(scope, id);
    const entries = Object.entries(secrets).map(([name, { meaning, isRotated }]) => {
      const arn = arnOf(name as SecretName);
      if (arn !== '') return [name, Secret.fromSecretCompleteArn(this, name, arn)];
      const secret = new Secret(this, name, {
        description: meaning,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      });
      if (!isRotated) secret.addToResourcePolicy(keepValue);
      acknowledge(secret, {
        'AwsSolutions-SMG4': isRotated
          ? 'receivers keep the key for a while: an operator rotates it, and says so before'
          : 'another value would give everything that it names another name',
      });
      return [name, secret];
    });
    this.byName = Object.fromEntries(entries) as Record<SecretName, ISecret>;
  }
}
