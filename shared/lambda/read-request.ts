import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import { ignoredParameters, isRequired, type Parameter, type Parameters } from '../contract/parameters.ts';
import type { Schema } from '../contract/schemas.ts';
import { ClientError } from '../domain/client-errors.ts';
import { firstIssue } from '../domain/first-issue.ts';
import { quoteName } from '../domain/quote-name.ts';
import { readJson } from '../domain/read-json.ts';

type Place = 'query' | 'path' | 'headers' | 'body';

/** Returns the name of a value for error messages, such as `limit in the query` or the path of a body field. */
const nameIn = (place: Place, name: string): string => (place === 'body' ? name : `${name} in the ${place}`);

/**
 * Parses one value of a request.
 * @throws ClientError `missingParameter`, `invalidParameter` or `invalidBody`, which names the value and explains how
 * to correct it
 */
function readValue(place: Place, name: string, schema: Schema, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (value === undefined) throw new ClientError('missingParameter', `${name} is required in the ${place}`);
  const { path, message } = firstIssue(parsed.error);
  const refusal = place === 'body' ? 'invalidBody' : 'invalidParameter';
  throw new ClientError(refusal, `${nameIn(place, [name, ...path].join('.'))} ${message}`);
}

/**
 * Rejects text with U+FFFD. API Gateway replaces bytes that are not UTF-8 (`%E9` in Latin-1) with U+FFFD, so the
 * original text is lost.
 * @throws ClientError `invalidParameter`
 */
function rejectReplacementCharacters(place: Place, name: string, value: string): void {
  if (!value.includes('\ufffd')) return;
  throw new ClientError(
    'invalidParameter',
    `${nameIn(place, name)} is not UTF-8, or contains the replacement character U+FFFD: encode it in UTF-8 (é is %C3%A9, not %E9)`,
  );
}

/** Reads all parameters that an endpoint declares in one location. */
const readEach = (
  declared: Parameters = {},
  read: (name: string, parameter: Parameter) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(declared).map(([name, parameter]) => [name, read(name, parameter)]));

/** All values of each parameter. */
type Multi = Readonly<Record<string, readonly string[]>>;

const orEmpty = (multi: APIGatewayProxyEvent['multiValueHeaders'] | null): Multi => (multi ?? {}) as Multi;

/** Returns all values of a header; undefined if the header is missing. */
export const headerValues = (
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  name: string,
): readonly string[] | undefined =>
  Object.entries(orEmpty(multiValueHeaders)).find(([given]) => given.toLowerCase() === name)?.[1];

// Headers that contain lists. If a list header is repeated, its values form one list (RFC 9110 section 5.3).
const listHeaders: readonly string[] = ['accept', 'accept-language', 'if-none-match'];

const readHeaders = (endpoint: Endpoint, event: APIGatewayProxyEvent): Record<string, unknown> =>
  readEach(endpoint.request.headers, (name, { schema }) => {
    const values = headerValues(event, name);
    const isList = listHeaders.includes(name);
    if (values && values.length > 1 && !isList) {
      throw new ClientError('repeatedParameter', `${name} must be given once in the headers`);
    }
    return readValue('headers', name, schema, isList ? values?.join(', ') : values?.[0]);
  });

const readPath = (endpoint: Endpoint, given: Readonly<Record<string, string | undefined>>): Record<string, unknown> =>
  readEach(endpoint.request.path, (name, { schema }) => {
    const value = decodePath(name, given[name] ?? '');
    rejectReplacementCharacters('path', name, value);
    return readValue('path', name, schema, value);
  });

// REST APIs in API Gateway do not decode path parameters.
function decodePath(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ClientError('invalidParameter', `${name} in the path must be percent-encoded UTF-8`);
  }
}

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
function readQuery(endpoint: Endpoint, given: Multi, hasBody: boolean): Record<string, unknown> {
  checkNames(endpoint, given);
  const { query, repeatable = [], body } = endpoint.request;
  return readEach(query, (name, parameter) => {
    const values = given[name];
    if (values === undefined && hasBody && body === undefined && isRequired(parameter)) {
      const mend = `this operation reads no body, so its parameters belong in the query, as in ?${name}=…`;
      throw new ClientError('missingParameter', `${name} is required in the query: ${mend}`);
    }
    return readValue('query', name, parameter.schema, repeatable.includes(name) ? values : values?.[0]);
  });
}

/** Returns the search attributes: the query parameters that are neither declared nor ignored. */
function readAttributes(endpoint: Endpoint, given: Multi): Readonly<Record<string, string>> | undefined {
  if (!endpoint.request.hasAttributes) return undefined;
  const others = Object.entries(given).filter(([name]) => !isDeclared(endpoint, name) && !isIgnored(endpoint, name));
  return Object.fromEntries(others.map(([name, values]) => [name, values[0] ?? '']));
}

const jsonLimit = 64 * 1024;

function readBody(endpoint: Endpoint, event: APIGatewayProxyEvent): unknown {
  const declared = endpoint.request.body;
  // An undeclared body is ignored, because some clients send an empty body with a JSON Content-Type.
  if (declared === undefined) return undefined;
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const limit = 'text' in declared ? declared.text.maxBytes : jsonLimit;
  if (bytes.length > limit) throw new ClientError('bodyTooLarge', `the body must be at most ${limit} bytes long`);
  if (bytes.length === 0) throw new ClientError('invalidBody', 'the body must not be empty');
  if (!isUtf8(bytes)) throw new ClientError('invalidBody', 'the body must be UTF-8 text');
  const text = bytes.toString('utf8');
  if ('text' in declared) return text;
  // RFC 8259 section 8.1 allows parsers to ignore a byte order mark, which some clients send.
  return readValue('body', 'body', declared.json, readJson(text.replace(/^\ufeff/, '')));
}

/**
 * Parses a REST API proxy event with the schemas that the endpoint declares. `serve` narrows the types of the result to
 * those of its endpoint.
 * @throws ClientError that names the parameter or field and explains how to correct it
 */
export function readRequest(endpoint: Endpoint, event: APIGatewayProxyEvent) {
  const query = orEmpty(event.multiValueQueryStringParameters);
  const { caller = '', client = caller, callerClaim, isAdmin } = event.requestContext.authorizer ?? {};
  const headers = readHeaders(endpoint, event);
  if (headers['idempotency-key'] !== undefined && caller === '') {
    throw new ClientError(
      'invalidParameter',
      `idempotency-key is not accepted with this access token, because it lacks the claim ${callerClaim}, which separates the keys of ` +
        'different callers; ask your issuer for the claim, or omit the header',
    );
  }
  return {
    path: readPath(endpoint, event.pathParameters ?? {}),
    query: readQuery(endpoint, query, (event.body ?? '') !== ''),
    headers,
    body: readBody(endpoint, event),
    attributes: readAttributes(endpoint, query),
    operation: endpoint.operation,
    requestId: event.requestContext.requestId,
    caller: String(caller),
    client: String(client),
    // API Gateway converts all values that an authorizer returns to text.
    isAdmin: String(isAdmin) === 'true',
  };
}
