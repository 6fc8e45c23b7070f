import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import { readJson } from '../domain/read-json.ts';
import { Refusal } from '../model/refusals.ts';
import { type Multi, readAttributes, readQuery } from './read-query.ts';
import { readValue, refuseUnreadable } from './read-value.ts';

const jsonLimit = 64 * 1024;

// Several lines of these are one list (RFC 9110 section 5.3).
const listHeaders: readonly string[] = ['accept', 'accept-language', 'if-none-match'];

function readHeaders(endpoint: Endpoint, given: Multi): Record<string, unknown> {
  if (endpoint.request.headers === undefined) return {};
  const lower = new Map(Object.entries(given).map(([name, values]) => [name.toLowerCase(), values]));
  const entries = Object.entries(endpoint.request.headers).map(([name, schema]) => {
    const values = lower.get(name);
    const isList = listHeaders.includes(name);
    if (values && values.length > 1 && !isList) {
      throw new Refusal('repeatedParameter', `${name} must be given once in the headers`);
    }
    return [name, readValue('headers', name, schema, isList ? values?.join(', ') : values?.[0])];
  });
  return Object.fromEntries(entries);
}

function readPath(endpoint: Endpoint, given: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const entries = Object.entries(endpoint.request.path ?? {}).map(([name, schema]) => {
    const value = decodePath(name, given[name] ?? '');
    refuseUnreadable('path', name, value);
    return [name, readValue('path', name, schema, value)];
  });
  return Object.fromEntries(entries);
}

// A REST API hands path parameters over as they stood in the URL.
function decodePath(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Refusal('invalidParameter', `${name} in the path must be percent-encoded UTF-8`);
  }
}

// Some clients write a byte order mark; RFC 8259 section 8.1 lets a reader pass over it.
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

function readBody(endpoint: Endpoint, event: APIGatewayProxyEvent): unknown {
  const declared = endpoint.request.body;
  // Never look at a body where none is declared: clients send empty ones with a JSON Content-Type.
  if (declared === undefined) return undefined;
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const limit = 'text' in declared ? declared.text.maxBytes : jsonLimit;
  if (bytes.length > limit) throw new Refusal('bodyTooLarge', `the body must be at most ${limit} bytes long`);
  if (bytes.length === 0) throw new Refusal('invalidBody', 'the body must not be empty');
  if (!isUtf8(bytes)) throw new Refusal('invalidBody', 'the body must be text in UTF-8');
  const text = bytes.toString('utf8');
  if ('text' in declared) return text;
  return readValue('body', 'body', declared.json, readJson(withoutMark(text)));
}

/** What the handler gets, with the loose types of any endpoint; `serve` gives it the endpoint's own. */
interface ReadRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
  readonly attributes: Readonly<Record<string, string>> | undefined;
  readonly contentType: string | undefined;
  readonly operation: string;
  readonly requestId: string;
  readonly caller: string;
  readonly client: string;
  readonly isAdmin: boolean;
}

const orEmpty = (multi: APIGatewayProxyEvent['multiValueHeaders'] | null): Multi => (multi ?? {}) as Multi;

/** A header that is a list, in one line; undefined where it did not come. */
export const listHeader = ({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string | undefined =>
  Object.entries(orEmpty(multiValueHeaders))
    .find(([given]) => given.toLowerCase() === name)?.[1]
    .join(', ');

/**
 * Reads a REST API proxy event as the endpoint declares it.
 * @throws Refusal that names the parameter or field and how to mend it
 */
export function readRequest(endpoint: Endpoint, event: APIGatewayProxyEvent): ReadRequest {
  const headers = orEmpty(event.multiValueHeaders);
  const query = orEmpty(event.multiValueQueryStringParameters);
  const { caller = '', client = caller, callerClaim, isAdmin } = event.requestContext.authorizer ?? {};
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1][0];
  const read = readHeaders(endpoint, headers);
  if (read['idempotency-key'] !== undefined && caller === '') {
    throw new Refusal(
      'invalidParameter',
      `idempotency-key is not taken with this access token: it lacks the claim ${callerClaim}, which keeps the keys of ` +
        'different callers apart; ask your issuer for it, or leave the header out',
    );
  }
  return {
    path: readPath(endpoint, event.pathParameters ?? {}),
    query: readQuery(endpoint, query, (event.body ?? '') !== ''),
    headers: read,
    body: readBody(endpoint, event),
    attributes: readAttributes(endpoint, query),
    contentType,
    operation: endpoint.operation,
    requestId: event.requestContext.requestId,
    caller: String(caller),
    client: String(client),
    // API Gateway hands over what an authorizer says as text.
    isAdmin: String(isAdmin) === 'true',
  };
}
