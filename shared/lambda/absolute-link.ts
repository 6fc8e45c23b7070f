import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';

type Asked = Pick<APIGatewayProxyEvent, 'multiValueHeaders' | 'pathParameters' | 'requestContext'>;

/** Where the caller found this list: by the deployment's base address, or else as the gateway saw it. */
function addressOf({ path }: Endpoint, event: Asked, baseUrl: string): string {
  if (baseUrl !== '') {
    const own = path.replace(/\{(\w+)\}/g, (_, name: string) => event.pathParameters?.[name] ?? '');
    return `${baseUrl.replace(/\/+$/, '')}${own}`;
  }
  const headers = Object.entries(event.multiValueHeaders ?? {});
  const [, given] = headers.find(([name]) => name.toLowerCase() === 'x-forwarded-proto') ?? [];
  // Its path has what is before the resource: the stage, or the base path of a custom domain.
  const { domainName, path: seen } = event.requestContext;
  return `${given?.[0] === 'http' ? 'http' : 'https'}://${domainName}${seen}`;
}

/**
 * Writes the whole address into a reply's header `link`, which says the query alone: many clients do not resolve a
 * reference (RFC 8288 would have them), so the next page must be an address by itself.
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
