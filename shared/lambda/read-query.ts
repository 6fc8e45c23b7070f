import type { Endpoint } from '../contract/endpoint.ts';
import { ignoredParameters, isRequired } from '../contract/parameters.ts';
import { ClientError } from '../domain/client-errors.ts';
import { quoteName } from '../domain/quote-name.ts';
import { readValue, rejectReplacementCharacters } from './read-value.ts';

/** All values of each parameter. */
export type Multi = Readonly<Record<string, readonly string[]>>;

const isDeclared = ({ request }: Endpoint, name: string): boolean => Object.hasOwn(request.query ?? {}, name);

const isIgnored = (endpoint: Endpoint, name: string): boolean =>
  Object.hasOwn(ignoredParameters, name) && !isDeclared(endpoint, name);

function unknown({ request }: Endpoint, name: string): ClientError {
  const known = Object.keys(request.query ?? {}).join(', ') || 'none';
  const rest = request.body !== undefined && 'json' in request.body ? '; everything else belongs in its JSON body' : '';
  const message = `${quoteName(name)} is not a query parameter of this operation; it has: ${known}${rest}`;
  return new ClientError('unknownParameter', message);
}

function checkNames(endpoint: Endpoint, given: Multi): void {
  const { hasAttributes, repeatable = [] } = endpoint.request;
  for (const [name, values] of Object.entries(given)) {
    if (isIgnored(endpoint, name)) continue;
    const called = isDeclared(endpoint, name) ? name : quoteName(name);
    if (!isDeclared(endpoint, name) && !hasAttributes) throw unknown(endpoint, name);
    if (values.length > 1 && !repeatable.includes(name)) {
      throw new ClientError('repeatedParameter', `${called} must be given once in the query`);
    }
    for (const value of values) rejectReplacementCharacters('query', called, value);
  }
}

/**
 * Parses the query parameters that an endpoint declares.
 * @param hasBody whether the request has a body, in which the caller may have put the parameters by mistake
 * @throws ClientError that names the parameter and explains how to correct it
 */
export function readQuery(endpoint: Endpoint, given: Multi, hasBody: boolean): Record<string, unknown> {
  checkNames(endpoint, given);
  const { query = {}, repeatable = [], body } = endpoint.request;
  const entries = Object.entries(query).map(([name, parameter]) => {
    const values = given[name];
    if (values === undefined && hasBody && body === undefined && isRequired(parameter)) {
      const mend = `this operation reads no body, so its parameters belong in the query, as in ?${name}=…`;
      throw new ClientError('missingParameter', `${name} is required in the query: ${mend}`);
    }
    return [name, readValue('query', name, parameter.schema, repeatable.includes(name) ? values : values?.[0])];
  });
  return Object.fromEntries(entries);
}

/** Returns the search attributes: the query parameters that are neither declared nor ignored. */
export function readAttributes(endpoint: Endpoint, given: Multi): Readonly<Record<string, string>> | undefined {
  if (!endpoint.request.hasAttributes) return undefined;
  const isOther = (name: string) => !isDeclared(endpoint, name) && !isIgnored(endpoint, name);
  const others = Object.entries(given).filter(([name]) => isOther(name));
  return Object.fromEntries(others.map(([name, values]) => [name, values[0] ?? '']));
}
