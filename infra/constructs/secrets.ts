import { RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretName, secrets } from '../../shared/contract/secret-names.ts';
import { accept } from './accepted-rules.ts';
import { encryptedBy } from './encryption.ts';

/**
 * Denies the deletion of a secret and changes to its value, so that operators cannot lose the value by accident.
 * `UpdateSecret` can also change the value ("UpdateSecret", AWS Secrets Manager API Reference). To delete or change a
 * secret on purpose, operators must first delete this resource policy.
 */
const keepValue = new PolicyStatement({
  effect: Effect.DENY,
  principals: [new AnyPrincipal()],
  actions: ['PutSecretValue', 'RotateSecret', 'UpdateSecretVersionStage', 'UpdateSecret', 'DeleteSecret'].map(
    (action) => `secretsmanager:${action}`,
  ),
  resources: ['*'],
});

interface SecretsProps {
  /** Returns the ARN of a restored secret; empty for a secret that the stack creates. */
  readonly arnOf: (secret: SecretName) => string;
  readonly key: IKey | undefined;
}

/**
 * Creates the secrets in `contract/secret-names.ts`. Secrets are generated on the first deployment and retained when
 * the stack is deleted.
 */
export class Secrets extends Construct {
  readonly byName: Readonly<Record<SecretName, ISecret>>;

  constructor(scope: Construct, id: string, { arnOf, key }: SecretsProps) {
    super(scope, id);
    const entries = Object.entries(secrets).map(([name, { meaning, isRotated }]) => {
      const arn = arnOf(name as SecretName);
      if (arn !== '') return [name, Secret.fromSecretCompleteArn(this, name, arn)];
      const secret = new Secret(this, name, {
        description: meaning,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        ...encryptedBy(key),
      });
      if (!isRotated) secret.addToResourcePolicy(keepValue);
      accept(secret, 'rotation', 'keysOfAws');
      return [name, secret];
    });
    this.byName = Object.fromEntries(entries) as Record<SecretName, ISecret>;
  }
}
