import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { listDeliveries } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { absoluteLink } from '../../shared/lambda/absolute-link.ts';

const asked = (
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
const linkOf = (answer: { headers?: { link?: string } }) => answer.headers?.link;

describe('the address of the next page', () => {
  it.each([
    ["API Gateway's own", 'abc.execute-api.eu-west-1.amazonaws.com', '/v1/topics', 'https'],
    ['a custom domain', 'registry.example.org', '/v1/topics', 'https'],
    ['a custom domain with another base path', 'api.example.org', '/osia/v1/topics', undefined],
    ["the laptop's", '127.0.0.1:3000', '/v1/topics', 'http'],
    ['one whose scheme makes no sense', 'registry.example.org', '/v1/topics', 'javascript'],
  ])('is absolute, on %s', (_what, domainName, path, proto) => {
    const scheme = proto === 'http' ? 'http' : 'https';
    const link = linkOf(absoluteLink(listTopics, reply, asked(domainName, path, proto)));
    expect(link).toBe(`<${scheme}://${domainName}${path}?limit=3&cursor=c>; rel="next"`);
  });

  it('is below the base address where the deployment has one, its path filled in', () => {
    const event = asked('abc.execute-api.eu-west-1.amazonaws.com', '/v1/subscriptions/u-1/deliveries', 'https', {
      uuid: 'u-1',
    });
    for (const base of ['https://registry.example.org/civil', 'https://registry.example.org/civil/']) {
      const link = linkOf(absoluteLink(listDeliveries, reply, event, base));
      expect(link).toMatch('<https://registry.example.org/civil/v1/subscriptions/u-1/deliveries?limit=3&cursor=c>;');
    }
  });

  it('is not there where there is none', () => {
    const last = { status: 200, body: [], headers: {} };
    expect(absoluteLink(listTopics, last, asked('a.example', '/v1/topics'))).toBe(last);
  });

  it('is of a list that reads the base address', () => {
    const lists = endpoints.filter(({ replies }) =>
      Object.values(replies).some(({ headers }) => 'link' in headers.shape),
    );
    expect(lists.length).toBeGreaterThanOrEqual(2);
    for (const { operation, reads } of lists) expect([operation, ...reads]).toContain('baseUrl');
  });
});
