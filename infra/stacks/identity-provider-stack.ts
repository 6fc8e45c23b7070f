import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Mfa, OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { type Scope, scopes } from '../../shared/contract/scopes.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

interface IdentityProviderStackProps extends StackProps {
  readonly settings: DeploymentSettings;
}

/** Cognito writes it before each scope, and so do those who ask for tokens: `identity-registry/notif.sub.read`. */
const resourceServer = 'identity-registry';

/** A user pool that gives out the access tokens, for those who have no issuer. Nobody signs in: its clients are programs. */
export class IdentityProviderStack extends Stack {
  /** The settings that follow from the pool, in place of those of an issuer. */
  readonly derived: Pick<DeploymentSettings, 'oidcIssuer' | 'oidcJwksUri' | 'oidcTokenUrl' | 'oidcAudience'>;

  constructor(scope: Construct, id: string, { settings, ...props }: IdentityProviderStackProps) {
    super(scope, id, props);
    const pool = new UserPool(this, 'pool', {
      selfSignUpEnabled: false,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 16,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      // A first deployment that fails has to take it back.
      deletionProtection: props.terminationProtection === true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    acknowledge(pool, {
      'AwsSolutions-COG3': 'threat protection watches people sign in, and nobody signs in here',
      'AwsSolutions-COG8': 'the plan that it asks for is threat protection',
    });
    const known = new Map(
      Object.entries(scopes).map(([scopeName, scopeDescription]) => [
        scopeName as Scope,
        new ResourceServerScope({ scopeName, scopeDescription }),
      ]),
    );
    const server = pool.addResourceServer('interface', { identifier: resourceServer, scopes: [...known.values()] });
    const chosen = settingValue(settings, 'machineScopes');
    const asked = [...known].filter(([name]) => chosen.length === 0 || chosen.includes(name));
    const machine = pool.addClient('machine', {
      generateSecret: true,
      oAuth: {
        flows: { clientCredentials: true },
        scopes: asked.map(([, one]) => OAuthScope.resourceServer(server, one)),
      },
    });
    // The prefix is taken once in a region, whoever's account it is.
    const domainPrefix = `${namesOf(settings.stage).userPoolDomain}-${this.account}`;
    const domain = pool.addDomain('domain', { cognitoDomain: { domainPrefix } });
    const issuer = pool.userPoolProviderUrl;
    const tokenUrl = `${domain.baseUrl()}/oauth2/token`;
    this.derived = {
      oidcIssuer: issuer,
      oidcJwksUri: `${issuer}/.well-known/jwks.json`,
      oidcTokenUrl: tokenUrl,
      // Its access tokens name no audience but their client; further clients are named in the setting.
      oidcAudience: `${machine.userPoolClientId},${settings.oidcAudience}`,
    };
    new CfnOutput(this, 'userPoolId', { value: pool.userPoolId });
    new CfnOutput(this, 'machineClientId', { value: machine.userPoolClientId });
    new CfnOutput(this, 'tokenUrl', { value: tokenUrl });
  }
}
