import { type ClientErrorName, clientErrors } from '../../domain/client-errors.ts';
import { type Endpoint, hasReplyOf } from '../endpoint.ts';
import { isRequired } from '../parameters.ts';
import { type HeaderName, type JsonObject, jsonSchema, type Reply } from '../schemas.ts';
import type { Components } from './openapi-file.ts';
import { type OpenApiContext, schemaOf } from './schema-of.ts';

// The header Content-Type is omitted, because OpenAPI ignores it (3.1, 4.8.17) and `content` contains the media type.
type DocumentedHeader = Exclude<HeaderName, 'content-type'> | 'retry-after' | 'www-authenticate';

const header = (name: string, description: string, example: unknown, schema: JsonObject = { type: 'string' }) => ({
  name,
  description,
  schema,
  example,
});

const headerDefinitions = {
  'cache-control': header('Cache-Control', 'Specifies who may cache the response, and for how long.', 'no-store'),
  'content-disposition': header(
    'Content-Disposition',
    'The file name, if the response is a single file.',
    'inline; filename="birth.pdf"',
  ),
  'content-security-policy': header(
    'Content-Security-Policy',
    'The content that the page may load. Only pages have this header.',
    "default-src 'none'",
  ),
  etag: header('ETag', 'The entity tag of the body, for use in `If-None-Match`.', '"9f86d081884c7d65"'),
  link: header(
    'Link',
    'The address of the next page (RFC 8288). The last page has no `Link` header.',
    '<https://registry.example.org/v1/topics?limit=100&cursor=AZQLbi96fD6K>; rel="next"',
  ),
  'retry-after': header('Retry-After', 'The number of seconds to wait before a retry.', 60, {
    type: 'integer',
    minimum: 0,
  }),
  'www-authenticate': header('WWW-Authenticate', 'How to authenticate (RFC 6750 section 3).', 'Bearer'),
} satisfies Record<DocumentedHeader, unknown>;

/** Adds a header to the components. Returns the name of the header and a reference to the component. */
function headerOf(header: DocumentedHeader, isRequired: boolean, { headers }: OpenApiContext): [string, JsonObject] {
  const { name, description, schema, example } = headerDefinitions[header];
  const id = isRequired ? name : `Optional-${name}`;
  headers[id] = { description, ...(isRequired && { required: true }), schema, example };
  return [name, { $ref: `#/components/headers/${id}` }];
}

/** The client errors whose responses have a `Retry-After` header. Errors from API Gateway never have this header. */
const withRetryAfter: readonly ClientErrorName[] = [
  'beingSentOut',
  'tooManyConfirmations',
  'tooManyResults',
  'askedTooOften',
];

const pageContent = { schema: { type: 'string' }, example: '<!doctype html><title>…</title>' };

function content(reply: Reply, context: OpenApiContext): JsonObject {
  switch (reply.kind) {
    case 'empty':
      return {};
    case 'json':
      return { content: { 'application/json': { schema: schemaOf(reply.schema, context), example: reply.example } } };
    case 'page':
      return { content: { 'text/html': pageContent } };
    case 'bytes': {
      const types = Object.entries(reply.mediaTypes).map(([mediaType, examples]) => [
        mediaType,
        {
          schema: mediaType === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' },
          examples,
        },
      ]);
      return { content: Object.fromEntries(types) };
    }
  }
}

function headersOf(reply: Reply, context: OpenApiContext): JsonObject {
  const { properties, required = [] } = jsonSchema(reply.headers) as {
    properties: JsonObject;
    required?: readonly string[];
  };
  const own = Object.keys(properties).filter((name): name is DocumentedHeader => name !== 'content-type');
  return own.length === 0
    ? {}
    : { headers: Object.fromEntries(own.map((name) => headerOf(name, required.includes(name), context))) };
}

/** The name of the shared response for each status that a client error can have. */
const responseNames: Readonly<Record<(typeof clientErrors)[ClientErrorName]['status'], string>> = {
  200: 'Ok',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  504: 'GatewayTimeout',
};

function errorResponse(names: readonly ClientErrorName[], isPage: boolean, context: OpenApiContext): JsonObject {
  const timed = names.filter((name) => withRetryAfter.includes(name));
  const headers = [
    ...(names.includes('unauthenticated') ? [headerOf('www-authenticate', true, context)] : []),
    ...(timed.length > 0 ? [headerOf('retry-after', timed.length === names.length, context)] : []),
  ];
  const examples = Object.fromEntries(
    names.map((name) => [name, { value: { code: clientErrors[name].code, message: clientErrors[name].example } }]),
  );
  return {
    description: names.map((name) => `${clientErrors[name].code} ${clientErrors[name].meaning}`).join('; '),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples },
      ...(isPage ? { 'text/html': pageContent } : {}),
    },
  };
}

// API Gateway returns `throttled` and `timedOut`. The web application firewall returns `filtered`.
const gatewayErrors: readonly ClientErrorName[] = ['throttled', 'timedOut', 'filtered'];

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

const rank = (name: ClientErrorName): number => clientErrors[name].status * 10_000 + clientErrors[name].code;
const byRank = (one: ClientErrorName, other: ClientErrorName): number => rank(one) - rank(other);

/**
 * Returns every client error that an endpoint can return, sorted by status and code. The list includes the errors that
 * follow from the endpoint's request and scopes, and the errors of API Gateway.
 */
export function clientErrorsOf(endpoint: Endpoint): ClientErrorName[] {
  const ofScopes: ClientErrorName[] = endpoint.scopes.length === 0 ? [] : ['unauthenticated', 'forbidden'];
  const all = [...ofRequest(endpoint), ...endpoint.errors, ...ofScopes, ...gatewayErrors, 'unexpected' as const];
  return [...new Set<ClientErrorName>(all)].sort(byRank);
}

/** Groups the client errors of an operation by status. `id` names the shared response, such as `NotFound`. */
const errorsByStatus = (endpoint: Endpoint) =>
  [...Map.groupBy(clientErrorsOf(endpoint), (name) => clientErrors[name].status)].map(([status, names]) => {
    // Functions that return pages also return their errors as pages. API Gateway always returns JSON.
    const isPage = hasReplyOf(endpoint, 'page') && names.some((name) => !gatewayErrors.includes(name));
    return { status, names, isPage, id: `${responseNames[status]}${isPage ? 'Page' : ''}` };
  });

/**
 * Describes every response of an operation, by status. The responses for client errors are references to the shared
 * responses.
 */
export function responses(endpoint: Endpoint, context: OpenApiContext): JsonObject {
  const successes = Object.entries(endpoint.replies).map(([status, reply]) => [
    status,
    { description: reply.description, ...headersOf(reply, context), ...content(reply, context) },
  ]);
  const errors = errorsByStatus(endpoint).map(({ status, id }) => [status, { $ref: `#/components/responses/${id}` }]);
  return Object.fromEntries([...successes, ...errors]);
}

/** Lists the error codes of one operation, because the shared responses list the codes of all operations. */
export const errorCodes = (endpoint: Endpoint): string =>
  `Error codes: ${clientErrorsOf(endpoint)
    .map((name) => clientErrors[name].code)
    .join(', ')}.`;

/** Returns the shared responses for the client errors of the given operations, by name. */
export function errorResponses(endpoints: readonly Endpoint[], context: OpenApiContext): Components['responses'] {
  const byId = Map.groupBy(endpoints.flatMap(errorsByStatus), ({ id }) => id);
  const shared = [...byId].map(([id, all]) => {
    const names = [...new Set(all.flatMap(({ names }) => names))].sort(byRank);
    const isPage = all.some((one) => one.isPage);
    return [id, errorResponse(names, isPage, context)];
  });
  return Object.fromEntries(shared);
}
