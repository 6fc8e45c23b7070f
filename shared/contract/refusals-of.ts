import { type RefusalName, refusals } from '../model/refusals.ts';
import type { Endpoint, Parameters } from './endpoint.ts';

const isRequired = (schema: Parameters[string]): boolean => !schema.safeParse(undefined).success;

/** Refusals that follow from what a request may bring. */
function ofReading({ request }: Endpoint): RefusalName[] {
  const { query = {}, headers = {}, repeatable = [], hasAttributes, body } = request;
  const once = Object.keys(query).some((name) => !repeatable.includes(name)) || hasAttributes;
  const ofBody: RefusalName[] = body === undefined ? [] : ['invalidBody', 'bodyTooLarge'];
  return [
    // What is no HTTP to the gateway, too.
    'invalidParameter',
    ...([query, headers].some((place) => Object.values(place).some(isRequired)) ? (['missingParameter'] as const) : []),
    ...(hasAttributes ? [] : (['unknownParameter'] as const)),
    ...(once || 'idempotency-key' in headers ? (['repeatedParameter'] as const) : []),
    ...(body !== undefined && 'json' in body ? (['malformedJson'] as const) : []),
    ...ofBody,
  ];
}

/**
 * Every refusal that an endpoint can answer, by status and code: its own, those of reading its request, of its scopes, and
 * the gateway's.
 */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const ofScopes: RefusalName[] = endpoint.scopes.length === 0 ? [] : ['unauthenticated', 'forbidden'];
  const all = [
    ...ofReading(endpoint),
    ...endpoint.refuses,
    ...ofScopes,
    'throttled',
    'unexpected',
    'timedOut',
  ] as const;
  const rank = (name: RefusalName): number => refusals[name].status * 10_000 + refusals[name].code;
  return [...new Set<RefusalName>(all)].sort((one, other) => rank(one) - rank(other));
}
