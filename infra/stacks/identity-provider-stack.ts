import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Mfa, OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { type Scope, scopes } from '../../shared/contract/scopes.ts';
import { accept } from '../constructs/accepted-rules.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

interface IdentityProviderStackProps extends StackProps {
  readonly settings: DeploymentSettings;
}

/** The prefix of each scope in Cognito, as in `identity-registry/notif.sub.read`. */
const resourceServer = 'identity-registry';

/** A user pool that issues access tokens to programs, for deployments without another issuer. No person signs in. */
export class IdentityProviderStack extends Stack {
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
      // The first deployment does not protect the user pool, so that CloudFormation can delete the pool if the
      // deployment fails.
      deletionProtection: props.terminationProtection === true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    accept(pool, 'programs');
    const scopesByName = new Map(
      Object.entries(scopes).map(([scopeName, scopeDescription]) => [
        scopeName as Scope,
        new ResourceServerScope({ scopeName, scopeDescription }),
      ]),
    );
    const server = pool.addResourceServer('interface', {
      identifier: resourceServer,
      scopes: [...scopesByName.values()],
    });
    const chosen = settingValue(settings, 'machineScopes');
    const requested = [...scopesByName].filter(([name]) => chosen.length === 0 || chosen.includes(name));
    const machine = pool.addClient('machine', {
      generateSecret: true,
      oAuth: {
        flows: { clientCredentials: true },
        scopes: requested.map(([, one]) => OAuthScope.resourceServer(server, one)),
      },
    });
    // The prefix contains the account number, because domain prefixes must be unique across all accounts in a Region.
    const domainPrefix = `${namesOf(settings.stage).userPoolDomain}-${this.account}`;
    const domain = pool.addDomain('domain', { cognitoDomain: { domainPrefix } });
    const issuer = pool.userPoolProviderUrl;
    const tokenUrl = `${domain.baseUrl()}/oauth2/token`;
    this.derived = {
      oidcIssuer: issuer,
      oidcJwksUri: `${issuer}/.well-known/jwks.json`,
      oidcTokenUrl: tokenUrl,
      // Cognito's access tokens have no audience, only a client id. The `oidcAudience` setting lists additional clients.
      oidcAudience: `${machine.userPoolClientId},${settings.oidcAudience}`,
    };
    new CfnOutput(this, 'userPoolId', { value: pool.userPoolId });
    new CfnOutput(this, 'machineClientId', { value: machine.userPoolClientId });
    new CfnOutput(this, 'tokenUrl', { value: tokenUrl });
  }
}
