import { type ClientErrorName, clientErrors } from '../domain/client-errors.ts';
import type { Endpoint } from './endpoint.ts';
import { isRequired } from './parameters.ts';

function ofRequest({ request }: Endpoint): ClientErrorName[] {
  const { query = {}, headers = {}, repeatable = [], hasAttributes, body } = request;
  const hasRequired = [query, headers].some((place) => Object.values(place).some(isRequired));
  const hasSingle = Object.keys(query).some((name) => !repeatable.includes(name)) || hasAttributes;
  return [
    // API Gateway also returns `invalidParameter` for malformed HTTP requests.
    'invalidParameter',
    ...(hasRequired ? (['missingParameter'] as const) : []),
    ...(hasAttributes ? [] : (['unknownParameter'] as const)),
    ...(hasSingle || 'idempotency-key' in headers ? (['repeatedParameter'] as const) : []),
    ...(body !== undefined && 'json' in body ? (['malformedJson'] as const) : []),
    ...(body === undefined ? [] : (['invalidBody', 'bodyTooLarge'] as const)),
  ];
}

/**
 * Returns every client error that an endpoint can return, sorted by status and code. The list includes the errors that
 * follow from the endpoint's request and scopes, and the errors of API Gateway.
 */
export function clientErrorsOf(endpoint: Endpoint): ClientErrorName[] {
  const ofScopes: ClientErrorName[] = endpoint.scopes.length === 0 ? [] : ['unauthenticated', 'forbidden'];
  // API Gateway returns `throttled` and `timedOut`. The web application firewall returns `filtered`.
  const ofAll = ['unexpected', 'throttled', 'timedOut', 'filtered'] as const;
  const all = [...ofRequest(endpoint), ...endpoint.errors, ...ofScopes, ...ofAll];
  const rank = (name: ClientErrorName): number => clientErrors[name].status * 10_000 + clientErrors[name].code;
  return [...new Set<ClientErrorName>(all)].sort((one, other) => rank(one) - rank(other));
}
