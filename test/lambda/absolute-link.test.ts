import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { listDeliveries } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { absoluteLink } from '../../shared/lambda/serve.ts';

const listRequest = (
  domainName: string,
  path: string,
  proto?: string,
  pathParameters: Record<string, string> | null = null,
) =>
  ({
    multiValueHeaders: proto === undefined ? {} : { 'x-forwarded-proto': [proto] },
    pathParameters,
    requestContext: { domainName, path },
  }) as unknown as APIGatewayProxyEvent;
const reply = { status: 200, body: [], headers: { link: '<?limit=3&cursor=c>; rel="next"' } };
const linkOf = (response: { headers?: { link?: string } }) => response.headers?.link;

describe('the link to the next page', () => {
  it.each([
    ["API Gateway's own domain", 'abc.execute-api.eu-west-1.amazonaws.com', '/v1/topics', 'https'],
    ['a custom domain', 'registry.example.org', '/v1/topics', 'https'],
    ['a custom domain with another base path', 'api.example.org', '/osia/v1/topics', undefined],
    ['a local address', '127.0.0.1:3000', '/v1/topics', 'http'],
    ['a domain with a forwarded scheme other than http and https', 'registry.example.org', '/v1/topics', 'javascript'],
  ])('is absolute for %s', (_what, domainName, path, proto) => {
    const scheme = proto === 'http' ? 'http' : 'https';
    const link = linkOf(absoluteLink(listTopics, reply, listRequest(domainName, path, proto)));
    expect(link).toBe(`<${scheme}://${domainName}${path}?limit=3&cursor=c>; rel="next"`);
  });

  it("the link to the next page starts with the deployment's base address and contains the path parameters", () => {
    const event = listRequest('abc.execute-api.eu-west-1.amazonaws.com', '/v1/subscriptions/u-1/deliveries', 'https', {
      uuid: 'u-1',
    });
    for (const base of ['https://registry.example.org/civil', 'https://registry.example.org/civil/']) {
      const link = linkOf(absoluteLink(listDeliveries, reply, event, base));
      expect(link).toMatch('<https://registry.example.org/civil/v1/subscriptions/u-1/deliveries?limit=3&cursor=c>;');
    }
  });

  it('the last page has no link', () => {
    const last = { status: 200, body: [], headers: {} };
    expect(absoluteLink(listTopics, last, listRequest('a.example', '/v1/topics'))).toBe(last);
  });

  it('every operation that returns a link reads the baseUrl setting', () => {
    const lists = endpoints.filter(({ replies }) =>
      Object.values(replies).some(({ headers }) => 'link' in headers.shape),
    );
    expect(lists.length).toBeGreaterThanOrEqual(2);
    for (const { operation, reads } of lists) expect([operation, ...reads]).toContain('baseUrl');
  });
});
