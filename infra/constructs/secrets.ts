import { RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretName, secrets } from '../../shared/contract/secrets.ts';

/** What would give a secret another value: nobody may, by a slip least of all. */
const keepValue = new PolicyStatement({
  effect: Effect.DENY,
  principals: [new AnyPrincipal()],
  actions: ['PutSecretValue', 'RotateSecret', 'UpdateSecretVersionStage'].map((action) => `secretsmanager:${action}`),
  resources: ['*'],
});

/** The secrets of `contract/secrets.ts`: random, made on the first deployment, kept when the stack goes. */
export class Secrets extends Construct {
  readonly byName: Readonly<Record<SecretName, Secret>>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const entries = Object.entries(secrets).map(([name, { meaning, isRotated }]) => {
      const secret = new Secret(this, name, {
        description: meaning,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy: RemovalPolicy.RETAIN,
      });
      if (!isRotated) secret.addToResourcePolicy(keepValue);
      return [name, secret];
    });
    this.byName = Object.fromEntries(entries) as Record<SecretName, Secret>;
  }
}
