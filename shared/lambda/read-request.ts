import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Endpoint, Parameters } from '../contract/endpoint.ts';
import { ignoredParameters } from '../contract/parameters.ts';
import { quoteName } from '../model/quote-name.ts';
import { Refusal, type RefusalName } from '../model/refusals.ts';
import { readJson } from './read-json.ts';

const jsonLimit = 64 * 1024;

type Multi = Readonly<Record<string, readonly string[]>>;

function readValue(name: string, schema: Parameters[string], value: unknown, refusal: RefusalName): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (value === undefined) throw new Refusal('missingParameter', `${name} is required`);
  const issue = parsed.error.issues[0];
  const place = [name, ...(issue?.path ?? [])].join('.');
  throw new Refusal(refusal, `${place} ${issue?.message ?? 'is not acceptable'}`);
}

function readQuery(endpoint: Endpoint, given: Multi): Record<string, unknown> {
  const declared = endpoint.request.query ?? {};
  const repeatable = endpoint.request.repeatable ?? [];
  for (const [name, values] of Object.entries(given)) {
    if (ignoredParameters.includes(name) && !Object.hasOwn(declared, name)) continue;
    if (endpoint.request.hasAttributes && values.length > 1)
      throw new Refusal('repeatedParameter', `${quoteName(name)} must be given once`);
    if (!Object.hasOwn(declared, name)) {
      if (endpoint.request.hasAttributes) continue;
      const known = Object.keys(declared).join(', ') || 'none';
      throw new Refusal(
        'unknownParameter',
        `${quoteName(name)} is not a parameter of this operation; it has: ${known}`,
      );
    }
    if (values.length > 1 && !repeatable.includes(name)) {
      throw new Refusal('repeatedParameter', `${name} must be given once`);
    }
  }
  const entries = Object.entries(declared).map(([name, schema]) => {
    const values = given[name];
    const value = repeatable.includes(name) ? values : values?.[0];
    return [name, readValue(name, schema, value, 'invalidParameter')];
  });
  return Object.fromEntries(entries);
}

function readAttributes(endpoint: Endpoint, given: Multi): Readonly<Record<string, string>> | undefined {
  if (!endpoint.request.hasAttributes) return undefined;
  const isOther = (name: string) =>
    !Object.hasOwn(endpoint.request.query ?? {}, name) && !ignoredParameters.includes(name);
  const others = Object.entries(given).filter(([name]) => isOther(name));
  return Object.fromEntries(others.map(([name, values]) => [name, values[0] ?? '']));
}

// Several lines of these are one list (RFC 9110 section 5.3).
const listHeaders: readonly string[] = ['accept', 'if-none-match'];

function readHeaders(endpoint: Endpoint, given: Multi): Record<string, unknown> {
  const lower = new Map(Object.entries(given).map(([name, values]) => [name.toLowerCase(), values]));
  const entries = Object.entries(endpoint.request.headers ?? {}).map(([name, schema]) => {
    const values = lower.get(name);
    const isList = listHeaders.includes(name);
    if (values && values.length > 1 && !isList) {
      throw new Refusal('repeatedParameter', `${name} must be given once`);
    }
    return [name, readValue(name, schema, isList ? values?.join(', ') : values?.[0], 'invalidParameter')];
  });
  return Object.fromEntries(entries);
}

function readPath(endpoint: Endpoint, given: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const entries = Object.entries(endpoint.request.path ?? {}).map(([name, schema]) => {
    return [name, readValue(name, schema, decodePath(name, given[name] ?? ''), 'invalidParameter')];
  });
  return Object.fromEntries(entries);
}

// A REST API hands path parameters over as they stood in the URL.
function decodePath(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Refusal('invalidParameter', `${name} must be percent-encoded UTF-8`);
  }
}

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
  return readValue('body', declared.json, readJson(text), 'invalidBody');
}

/** What the handler gets, with the loose types of any endpoint; `serve` gives it the endpoint's own. */
interface ReadRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
  readonly attributes: Readonly<Record<string, string>> | undefined;
  readonly contentType: string | undefined;
  readonly caller: string;
  readonly client: string;
}

const orEmpty = (multi: APIGatewayProxyEvent['multiValueHeaders'] | null): Multi => (multi ?? {}) as Multi;

/**
 * Reads a REST API proxy event as the endpoint declares it.
 * @throws Refusal that names the parameter or field and how to mend it
 */
export function readRequest(endpoint: Endpoint, event: APIGatewayProxyEvent): ReadRequest {
  const headers = orEmpty(event.multiValueHeaders);
  const { caller = '', client = caller, callerClaim } = event.requestContext.authorizer ?? {};
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
    query: readQuery(endpoint, orEmpty(event.multiValueQueryStringParameters)),
    headers: read,
    body: readBody(endpoint, event),
    attributes: readAttributes(endpoint, orEmpty(event.multiValueQueryStringParameters)),
    contentType,
    caller: String(caller),
    client: String(client),
  };
}
