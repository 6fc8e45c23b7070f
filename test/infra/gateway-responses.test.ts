// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are for API Gateway
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { expect, it } from 'vitest';
import { addGatewayResponses } from '../../infra/constructs/gateway-responses.ts';

interface Answer {
  readonly ResponseType: string;
  readonly ResponseTemplates: Readonly<Record<string, string>>;
}

/** Returns the default responses of the gateway, with values in place of their variables. */
function answersWith(oidcIssuer: string, oidcAudience: string): Map<string, unknown> {
  // Validation by CDK would take most of the time of this test.
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'stack');
  const api = new RestApi(stack, 'rest');
  api.root.addMethod('GET');
  addGatewayResponses(api, { oidcIssuer, oidcAudience });
  const found = Template.fromStack(stack).findResources('AWS::ApiGateway::GatewayResponse');
  const answers = Object.values(found).map(({ Properties }) => Properties as Answer);
  return new Map(
    answers.map(({ ResponseType, ResponseTemplates }) => {
      const template = String(ResponseTemplates['application/json']);
      const filled = template
        .replaceAll('$context.error.messageString', JSON.stringify('a "quoted" word'))
        .replaceAll('$context.requestId', 'request-1');
      return [ResponseType, JSON.parse(filled)];
    }),
  );
}

it.each([
  ['https://issuer.example.org', 'registry'],
  ['https://issuer.example.org/"quoted"\\', `one,"other"'`],
  ['https://issuer.example.org/$context.requestId/${context.path}', '$context.error.messageString'],
])("the gateway's own responses are JSON and quote the issuer and the audience exactly: %s", (issuer, audience) => {
  const answers = answersWith(issuer, audience);
  const message = expect.stringContaining(`from the issuer "${issuer}", for the audience "${audience}"`);
  expect(answers.get('UNAUTHORIZED')).toEqual({ code: 1401, message });
  expect(answers.get('UNAUTHORIZED')).toMatchObject({ message: expect.stringMatching(/for request request-1$/) });
});

it("the gateway's own responses contain its message as valid JSON, even if the message quotes the request", () => {
  expect(answersWith('https://a.test', 'b').get('DEFAULT_4XX')).toEqual({ code: 1002, message: 'a "quoted" word' });
});
