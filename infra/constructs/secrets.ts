import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretName, secrets } from '../../shared/contract/secrets.ts';

/** The secrets of `contract/secrets.ts`: random, made on the first deployment, rotated by putting a new value. */
export class Secrets extends Construct {
  readonly byName: Readonly<Record<SecretName, Secret>>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const entries = Object.entries(secrets).map(([name, meaning]) => {
      const secret = new Secret(this, name, {
        description: meaning,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy: RemovalPolicy.RETAIN,
      });
      return [name, secret];
    });
    this.byName = Object.fromEntries(entries) as Record<SecretName, Secret>;
  }
}
