import { expect, test } from 'vitest';
import { everySetting } from '../harness/every-setting.ts';
import { synthesizeTemplate } from '../harness/template.ts';

const { domainName, certificateArn } = everySetting;
const domain = { domainName, certificateArn };

async function synthesize(more: Record<string, string> = {}) {
  const template = await synthesizeTemplate({ ...domain, ...more });
  const only = (type: string) => template.ofType(type).map(({ properties }) => properties);
  return { ...template, only };
}

test('the custom domain points to the stage, requires TLS 1.2 or later, and is used in all links', async () => {
  const { only, ofType, outputs } = await synthesize();
  expect(only('AWS::ApiGateway::DomainName')).toMatchObject([
    { DomainName: domain.domainName, RegionalCertificateArn: domain.certificateArn, SecurityPolicy: 'TLS_1_2' },
  ]);
  const [stage] = ofType('AWS::ApiGateway::Stage');
  expect(only('AWS::ApiGatewayV2::ApiMapping')).toMatchObject([{ ApiMappingKey: 'v1', Stage: { Ref: stage?.id } }]);
  expect(outputs.baseUrl.Value).toBe('https://registry.government.example');
  expect(outputs.apiId.Value).toEqual({ Ref: ofType('AWS::ApiGateway::RestApi')[0]?.id });
  const subscribing = ofType('AWS::Lambda::Function').find(({ name }) => name === 'deliverByHttp')?.properties;
  expect(subscribing?.Environment.Variables.BASE_URL).toBe('https://registry.government.example');
  const [{ id = '' } = {}] = ofType('AWS::ApiGateway::DomainName');
  expect(outputs.domainTarget.Value).toEqual({ 'Fn::GetAtt': [id, 'RegionalDomainName'] });
  expect(only('AWS::Route53::RecordSet')).toEqual([]);
  expect(only('AWS::ApiGateway::RestApi')[0]?.DisableExecuteApiEndpoint).toBe(false);
});

test.each([
  ['https://registry.government.example/civil', 'civil/v1'],
  ['https://registry.government.example/civil/registry/', 'civil/registry/v1'],
  ['https://elsewhere.government.example/civil', 'v1'],
])('with the base URL %s, the custom domain serves the stage under the path %s', async (baseUrl, key) => {
  const { only, outputs } = await synthesize({ baseUrl });
  expect(only('AWS::ApiGatewayV2::ApiMapping')[0]?.ApiMappingKey).toBe(key);
  expect(outputs.baseUrl.Value).toBe(baseUrl);
});

test("the hosted zone gets a DNS record, and the domainOnly setting disables the API's default address", async () => {
  const { only } = await synthesize({ hostedZoneId: 'Z0123456789ABC', domainOnly: 'true' });
  const record = { HostedZoneId: 'Z0123456789ABC', Name: domain.domainName, Type: 'A' };
  expect(only('AWS::Route53::RecordSet')).toMatchObject([record]);
  expect(only('AWS::ApiGateway::RestApi')[0]?.DisableExecuteApiEndpoint).toBe(true);
});
