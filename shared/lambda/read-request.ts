import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import { ClientError } from '../domain/client-errors.ts';
import { readJson } from '../domain/read-json.ts';
import { type Multi, readAttributes, readQuery } from './read-query.ts';
import { readValue, rejectReplacementCharacters } from './read-value.ts';

const jsonLimit = 64 * 1024;

// Headers that contain lists. If a list header is repeated, its values form one list (RFC 9110 section 5.3).
const listHeaders: readonly string[] = ['accept', 'accept-language', 'if-none-match'];

function readHeaders(endpoint: Endpoint, event: APIGatewayProxyEvent): Record<string, unknown> {
  const entries = Object.entries(endpoint.request.headers ?? {}).map(([name, { schema }]) => {
    const values = headerValues(event, name);
    const isList = listHeaders.includes(name);
    if (values && values.length > 1 && !isList) {
      throw new ClientError('repeatedParameter', `${name} must be given once in the headers`);
    }
    return [name, readValue('headers', name, schema, isList ? values?.join(', ') : values?.[0])];
  });
  return Object.fromEntries(entries);
}

function readPath(endpoint: Endpoint, given: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const entries = Object.entries(endpoint.request.path ?? {}).map(([name, { schema }]) => {
    const value = decodePath(name, given[name] ?? '');
    rejectReplacementCharacters('path', name, value);
    return [name, readValue('path', name, schema, value)];
  });
  return Object.fromEntries(entries);
}

// REST APIs in API Gateway do not decode path parameters.
function decodePath(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ClientError('invalidParameter', `${name} in the path must be percent-encoded UTF-8`);
  }
}

// RFC 8259 section 8.1 allows parsers to ignore a byte order mark, which some clients send.
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

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
  return readValue('body', 'body', declared.json, readJson(withoutMark(text)));
}

const orEmpty = (multi: APIGatewayProxyEvent['multiValueHeaders'] | null): Multi => (multi ?? {}) as Multi;

/** Returns all values of a header; undefined if the header is missing. */
export const headerValues = (
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  name: string,
): readonly string[] | undefined =>
  Object.entries(orEmpty(multiValueHeaders)).find(([given]) => given.toLowerCase() === name)?.[1];

/**
 * Parses a REST API proxy event with the schemas that the endpoint declares. `serve` narrows the types of the result to
 * those of its endpoint.
 * @throws ClientError that names the parameter or field and explains how to correct it
 */
export function readRequest(endpoint: Endpoint, event: APIGatewayProxyEvent) {
  const query = orEmpty(event.multiValueQueryStringParameters);
  const { caller = '', client = caller, callerClaim, isAdmin } = event.requestContext.authorizer ?? {};
  const read = readHeaders(endpoint, event);
  if (read['idempotency-key'] !== undefined && caller === '') {
    throw new ClientError(
      'invalidParameter',
      `idempotency-key is not accepted with this access token, because it lacks the claim ${callerClaim}, which separates the keys of ` +
        'different callers; ask your issuer for the claim, or omit the header',
    );
  }
  return {
    path: readPath(endpoint, event.pathParameters ?? {}),
    query: readQuery(endpoint, query, (event.body ?? '') !== ''),
    headers: read,
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
