// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are for CloudFormation and API Gateway
import { expect, test } from 'vitest';
import { readGatewayResponses } from '../../../../../infra/local/aws/gateway/gateway-responses.ts';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { createAssembly } from '../../assembly.ts';

function readResponses(...declared: Record<string, unknown>[]) {
  const assembly = createAssembly();
  for (const [index, properties] of declared.entries()) {
    assembly.add(`Response${index}`, 'AWS::ApiGateway::GatewayResponse', properties);
  }
  return readGatewayResponses(openStack(readTemplate(assembly.write()), { baseUrl: '', sqsEndpoint: '' }));
}

const request = { 'context.requestId': 'r-1' };

test('a declared gateway response takes precedence over the AWS defaults and over the default for its class', () => {
  expect(readResponses()({ type: 'MISSING_AUTHENTICATION_TOKEN' }, request)).toMatchObject({
    ...{ status: 403, body: '{"message":"Missing Authentication Token"}' },
  });
  const render = readResponses(
    { ResponseType: 'DEFAULT_4XX', ResponseTemplates: { 'application/json': '{"code":"other"}' } },
    {
      ResponseType: 'MISSING_AUTHENTICATION_TOKEN',
      StatusCode: '404',
      ResponseParameters: { 'gatewayresponse.header.X-Kind': "'none'" },
      ResponseTemplates: { 'application/json': '{"m":$context.error.messageString,"id":"${context.requestId}"}' },
    },
  );
  expect(render({ type: 'MISSING_AUTHENTICATION_TOKEN' }, request)).toMatchObject({
    status: 404,
    headers: { 'X-Kind': 'none', 'Content-Type': 'application/json' },
    body: '{"m":"Missing Authentication Token","id":"r-1"}',
  });
  expect(render({ type: 'UNAUTHORIZED' }, request)).toMatchObject({ status: 401, body: '{"code":"other"}' });
  expect(render({ type: 'DEFAULT_5XX' }, request)).toMatchObject({ status: 502 });
});
