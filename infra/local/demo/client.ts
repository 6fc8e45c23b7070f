import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import type { Json, Schema } from '../../../shared/contract/schemas.ts';
import { scopes } from '../../../shared/contract/scopes.ts';
import type { LocalStack } from '../start.ts';

export type Query = Readonly<Record<string, string | readonly string[]>>;

export type Success<E extends Endpoint> = E['replies'][200] extends Json & { schema: infer S extends Schema }
  ? S['_zod']['output']
  : undefined;

interface UrlParameters {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
}

/** Builds the URL of a request. A missing path parameter becomes `any`. */
export function urlOf(baseUrl: string, endpoint: Endpoint, { path = {}, query = {} }: UrlParameters): string {
  const place = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? 'any'));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return `${baseUrl}${place}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

interface RequestOptions extends UrlParameters {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Calls an endpoint and returns the response body; undefined for a 404 response.
 * @throws Error for any other error response; the message quotes the response
 */
export type Client = <E extends Endpoint>(endpoint: E, asking?: RequestOptions) => Promise<Success<E> | undefined>;

export function createClient({ issueToken, outputs }: Pick<LocalStack, 'issueToken' | 'outputs'>): Client {
  const scope = Object.keys(scopes).join(' ');
  return async (endpoint, { headers = {}, body, ...place } = {}) => {
    const response = await fetch(urlOf(outputs.baseUrl, endpoint, place), {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${await issueToken({ scope })}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${endpoint.operation} returned ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
