import type { Endpoint } from '../contract/endpoint.ts';
import { ignoredParameters } from '../contract/parameters.ts';
import { quoteName } from '../domain/quote-name.ts';
import { Refusal } from '../model/refusals.ts';
import { readValue, refuseUnreadable } from './read-value.ts';

/** Every value of every name. */
export type Multi = Readonly<Record<string, readonly string[]>>;

const isDeclared = ({ request }: Endpoint, name: string): boolean => Object.hasOwn(request.query ?? {}, name);

const isIgnored = (endpoint: Endpoint, name: string): boolean =>
  ignoredParameters.includes(name) && !isDeclared(endpoint, name);

function unknown({ request }: Endpoint, name: string): Refusal {
  const known = Object.keys(request.query ?? {}).join(', ') || 'none';
  const rest = request.body !== undefined && 'json' in request.body ? '; everything else belongs in its JSON body' : '';
  const message = `${quoteName(name)} is not a query parameter of this operation; it has: ${known}${rest}`;
  return new Refusal('unknownParameter', message);
}

function checkNames(endpoint: Endpoint, given: Multi): void {
  const { hasAttributes, repeatable = [] } = endpoint.request;
  for (const [name, values] of Object.entries(given)) {
    if (isIgnored(endpoint, name)) continue;
    const called = isDeclared(endpoint, name) ? name : quoteName(name);
    if (!isDeclared(endpoint, name) && !hasAttributes) throw unknown(endpoint, name);
    if (values.length > 1 && !repeatable.includes(name)) {
      throw new Refusal('repeatedParameter', `${called} must be given once in the query`);
    }
    for (const value of values) refuseUnreadable('query', called, value);
  }
}

/**
 * Reads the query parameters that an endpoint declares.
 * @param hasBody a body came: where none is declared, that is where a missing parameter was sent to
 * @throws Refusal that names the parameter and how to mend it
 */
export function readQuery(endpoint: Endpoint, given: Multi, hasBody: boolean): Record<string, unknown> {
  checkNames(endpoint, given);
  const { query = {}, repeatable = [], body } = endpoint.request;
  const entries = Object.entries(query).map(([name, schema]) => {
    const values = given[name];
    if (values === undefined && hasBody && body === undefined && !schema.safeParse(undefined).success) {
      const mend = `this operation reads no body, so its parameters belong in the query, as in ?${name}=…`;
      throw new Refusal('missingParameter', `${name} is required in the query: ${mend}`);
    }
    return [name, readValue('query', name, schema, repeatable.includes(name) ? values : values?.[0])];
  });
  return Object.fromEntries(entries);
}

/** The query parameters that are attributes to search by: all that are neither declared nor ignored. */
export function readAttributes(endpoint: Endpoint, given: Multi): Readonly<Record<string, string>> | undefined {
  if (!endpoint.request.hasAttributes) return undefined;
  const isOther = (name: string) => !isDeclared(endpoint, name) && !ignoredParameters.includes(name);
  const others = Object.entries(given).filter(([name]) => isOther(name));
  return Object.fromEntries(others.map(([name, values]) => [name, values[0] ?? '']));
}
