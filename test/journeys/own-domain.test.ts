import { describe, expect, test } from 'vitest';
import { useWorld } from '../harness/no-internal-errors.ts';

const { outputs, token } = await useWorld();

/** Invokes a function with the given event, as API Gateway does. */
async function invoke(name: string, event: object) {
  const response = await fetch(`${outputs.lambdaEndpoint}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=local' },
    body: JSON.stringify(event),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the response can have any shape
  return (await response.json()) as any;
}

const requestContext = { requestId: 'r', authorizer: { principalId: 'p', caller: 'c', callerClaim: 'client_id' } };
const common = { multiValueHeaders: {}, headers: {}, body: null, isBase64Encoded: false };

// The empty base path stands for the address that API Gateway assigns. If there is a base path mapping, `path` contains
// the base path.
describe.each(['', '/v1', '/civil/v1'])('with the base path %j', (base) => {
  const request = (resource: string, path: string, more: object = {}) => ({
    ...{ ...common, httpMethod: 'GET', resource, path: base + path },
    requestContext: { ...requestContext, resourcePath: resource, path: `${base || '/v1'}${path}`, stage: 'v1' },
    ...more,
  });

  test('functions return the same response for every base path', async () => {
    const topics = await invoke('listTopics', request('/topics', '/topics'));
    expect([topics.statusCode, JSON.parse(topics.body)]).toEqual([200, expect.any(Array)]);
    const more = { pathParameters: { uin: '12' }, multiValueQueryStringParameters: { attributeNames: ['firstName'] } };
    const person = await invoke('readPerson', request('/persons/{uin}', '/persons/12', more));
    expect([person.statusCode, JSON.parse(person.body).code]).toEqual([404, 1040]);
  });

  test('the authorizer returns a policy for the route, and the ARN of the route contains the stage only once', async () => {
    const api = 'arn:aws:execute-api:us-east-1:000000000000:api/v1';
    const asked = request('/topics/{uuid}/publish', '/topics/CR/publish', {
      ...{ type: 'REQUEST', httpMethod: 'POST', methodArn: `${api}/POST/topics/CR/publish` },
      headers: { Authorization: `Bearer ${token}` },
    });
    const { policyDocument } = await invoke('authorize', asked);
    expect(policyDocument.Statement).toEqual([
      { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${api}/POST/topics/*/publish` },
    ]);
  });
});
