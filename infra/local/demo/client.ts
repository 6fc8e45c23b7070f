import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import type { Json } from '../../../shared/contract/reply.ts';
import { scopes } from '../../../shared/contract/scopes.ts';
import type { LocalStack } from '../start.ts';

export type Query = Readonly<Record<string, string | readonly string[]>>;

/** What an endpoint answers where all is well, as the contract declares it. */
export type Success<E extends Endpoint> = E['replies'][200] extends Json<infer S> ? S['_zod']['output'] : undefined;

interface Place {
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** An array is sent as that parameter repeated. */
  readonly query?: Query | undefined;
}

/** Where an endpoint is asked; for a parameter of its path that is not given, any will do. */
export function urlOf(baseUrl: string, endpoint: Endpoint, { path = {}, query = {} }: Place): string {
  const place = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? 'any'));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return `${baseUrl}${place}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

interface Asking extends Place {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * Asks an endpoint, and answers the body of its success; undefined for 404.
 * @throws Error that quotes any other refusal
 */
export type Client = <E extends Endpoint>(endpoint: E, asking?: Asking) => Promise<Success<E> | undefined>;

/** A program that may do everything. */
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
    if (!response.ok) throw new Error(`${endpoint.operation} answered ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
