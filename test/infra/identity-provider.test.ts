import { expect, test } from 'vitest';
import { scopes } from '../../shared/contract/scopes.ts';
import { type Resources, synthesizeTemplate } from '../harness/template.ts';

async function synthesize(more: Record<string, string> = {}) {
  const template = await synthesizeTemplate({ identityProvider: 'cognito', ...more });
  return { template, provider: template.beside.IdentityProvider as Resources };
}

const clientScopes = ({ ofType }: Resources): string[] =>
  ofType('AWS::Cognito::UserPoolClient')[0]?.properties.AllowedOAuthScopes.map(
    (scope: { 'Fn::Join': [string, unknown[]] }) => scope['Fn::Join'][1].at(-1),
  );

test("the user pool has the API's scopes and a client for the client credentials flow", async () => {
  const { provider } = await synthesize();
  const [server] = provider.ofType('AWS::Cognito::UserPoolResourceServer');
  expect(server?.properties.Scopes.map(({ ScopeName }: { ScopeName: string }) => ScopeName)).toEqual(
    Object.keys(scopes),
  );
  expect(provider.ofType('AWS::Cognito::UserPoolClient').map(({ properties }) => properties)).toMatchObject([
    { AllowedOAuthFlows: ['client_credentials'], GenerateSecret: true },
  ]);
  expect(clientScopes(provider)).toEqual(Object.keys(scopes).map((scope) => `/${scope}`));
  const [pool] = provider.ofType('AWS::Cognito::UserPool');
  expect(pool?.deletionPolicy).toBe('RetainExceptOnCreate');
  expect(pool?.properties.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
});

test("the user pool's client has only the scopes in the machineScopes setting", async () => {
  const { provider } = await synthesize({ machineScopes: 'notif.sub.read,uin.generate' });
  expect(clientScopes(provider).toSorted()).toEqual(['/notif.sub.read', '/uin.generate']);
});

test('the functions accept tokens that the user pool issues', async () => {
  const { template } = await synthesize({ oidcAudience: 'another-client' });
  const authorize = template.ofType('AWS::Lambda::Function').find(({ name }) => name === 'authorize');
  const text = (name: string): string => JSON.stringify(authorize?.properties.Environment.Variables[name]);
  for (const name of ['OIDC_ISSUER', 'OIDC_JWKS_URI', 'OIDC_AUDIENCE'])
    expect(text(name)).toContain('"Fn::ImportValue":"IdentityRegistry-dev-IdentityProvider:');
  expect(text('OIDC_JWKS_URI')).toContain('/.well-known/jwks.json');
  expect(text('OIDC_AUDIENCE')).toContain(',another-client');
  expect(JSON.stringify(template.ofType('AWS::Lambda::Function'))).not.toContain('issuer.example.org');
  const refusals = JSON.stringify(template.ofType('AWS::ApiGateway::GatewayResponse'));
  expect(refusals).not.toMatch(/issuer\.example\.org|\$\{Token|u0024\{/);
});

test('the user pool of a production stage is protected from deletion', async () => {
  const url = 'https://issuer.example.org';
  const issuer = { oidcIssuer: url, oidcJwksUri: `${url}/.well-known/jwks.json`, oidcTokenUrl: `${url}/token` };
  const { provider } = await synthesize({ stage: 'prod', ...issuer });
  expect(provider.ofType('AWS::Cognito::UserPool')[0]?.properties.DeletionProtection).toBe('ACTIVE');
  const [domain] = provider.ofType('AWS::Cognito::UserPoolDomain');
  expect(JSON.stringify(domain?.properties.Domain)).toContain('identity-registry-prod-');
});
