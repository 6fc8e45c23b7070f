import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import { headerValues } from './read-request.ts';

type Asked = Pick<APIGatewayProxyEvent, 'multiValueHeaders' | 'pathParameters' | 'requestContext'>;

/**
 * Returns the URL of the list. The URL begins with the deployment's base URL or, if there is none, with the URL that
 * API Gateway received.
 */
function addressOf({ path }: Endpoint, event: Asked, baseUrl: string): string {
  if (baseUrl !== '') {
    const own = path.replace(/\{(\w+)\}/g, (_, name: string) => event.pathParameters?.[name] ?? '');
    return `${baseUrl.replace(/\/+$/, '')}${own}`;
  }
  // The path in the request context begins with the stage or with the base path of a custom domain.
  const { domainName, path: seen } = event.requestContext;
  const isHttp = headerValues(event, 'x-forwarded-proto')?.[0] === 'http';
  return `${isHttp ? 'http' : 'https'}://${domainName}${seen}`;
}

/**
 * Makes the URL in a reply's `link` header absolute. Many clients do not resolve relative references, although RFC 8288
 * requires this.
 */
export function absoluteLink<Reply extends { readonly headers?: unknown }>(
  endpoint: Endpoint,
  reply: Reply,
  event: Asked,
  baseUrl = '',
): Reply {
  const { link } = (reply.headers ?? {}) as { readonly link?: string };
  if (!link?.startsWith('<?')) return reply;
  const absolute = `<${addressOf(endpoint, event, baseUrl)}${link.slice(1)}`;
  return { ...reply, headers: { ...(reply.headers as object), link: absolute } };
}
