import { type ClientErrorName, clientErrors } from '../../domain/client-errors.ts';
import { clientErrorsOf } from '../client-errors-of.ts';
import { type Endpoint, hasReplyOf } from '../endpoint.ts';
import { type JsonObject, jsonSchema } from '../json-schema.ts';
import type { HeaderName, Reply } from '../reply-schemas.ts';
import { type OpenApiContext, schemaOf } from './schema-of.ts';

interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  readonly example: unknown;
  readonly schema?: JsonObject;
}

// `content` already states the media type, and OpenAPI ignores Content-Type headers (3.1, 4.8.17).
type DocumentedHeader = Exclude<HeaderName, 'content-type'> | 'retry-after' | 'www-authenticate';

const headerDefinitions: Readonly<Record<DocumentedHeader, HeaderDefinition>> = {
  'cache-control': {
    name: 'Cache-Control',
    description: 'Specifies who may cache the response, and for how long.',
    example: 'no-store',
  },
  'content-disposition': {
    name: 'Content-Disposition',
    description: 'The file name, if the response is a single file.',
    example: 'inline; filename="birth.pdf"',
  },
  etag: {
    name: 'ETag',
    description: 'Identifies the exact bytes of the body, for use in `If-None-Match`.',
    example: '"9f86d081884c7d65"',
  },
  link: {
    name: 'Link',
    description: 'The address of the next page (RFC 8288). The last page has no `Link` header.',
    example: '<https://registry.example.org/v1/topics?limit=100&cursor=AZQLbi96fD6K>; rel="next"',
  },
  'retry-after': {
    name: 'Retry-After',
    description: 'The number of seconds to wait before a retry.',
    example: 60,
    schema: { type: 'integer', minimum: 0 },
  },
  'www-authenticate': {
    name: 'WWW-Authenticate',
    description: 'How to authenticate (RFC 6750 section 3).',
    example: 'Bearer',
  },
};

function headerOf(header: DocumentedHeader, required: boolean): [string, JsonObject] {
  const { name, description, example, schema = { type: 'string' } } = headerDefinitions[header];
  return [name, { description, required, schema, example }];
}

/** The client errors with a `Retry-After` header. Errors from API Gateway never have this header. */
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
    case 'json': {
      const { schema, example } = reply;
      return { content: { 'application/json': { schema: schemaOf(schema, context), example } } };
    }
    case 'page':
      return { content: { 'text/html': pageContent } };
    case 'bytes': {
      // The media type fully describes binary content, so it needs no schema (OpenAPI 3.1, 4.8.14.2).
      const types = Object.entries(reply.mediaTypes).map(([mediaType, examples]) => [mediaType, { examples }]);
      return { content: Object.fromEntries(types) };
    }
  }
}

function headers(reply: Reply): JsonObject {
  const { properties, required = [] } = jsonSchema(reply.headers) as {
    properties: JsonObject;
    required?: readonly string[];
  };
  const own = Object.keys(properties).filter((name): name is DocumentedHeader => name !== 'content-type');
  const all = own.map((name) => headerOf(name, required.includes(name)));
  // The handler kit adds `Cache-Control: no-store` to replies that do not declare the header.
  return {
    headers: Object.fromEntries(own.includes('cache-control') ? all : [...all, headerOf('cache-control', true)]),
  };
}

function errorResponse(names: readonly ClientErrorName[], status: number, isPage: boolean): JsonObject {
  const timed = names.filter((name) => withRetryAfter.includes(name));
  const codes = names.map((name) => clientErrors[name].code);
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', required: ['code'], properties: { code: { type: 'integer', enum: codes } } },
    ],
  };
  const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
  return {
    description: names.map((name) => `${clientErrors[name].code} ${clientErrors[name].meaning}`).join('; '),
    headers: Object.fromEntries([
      headerOf('cache-control', true),
      ...(status === 401 ? [headerOf('www-authenticate', true)] : []),
      ...(timed.length > 0 ? [headerOf('retry-after', timed.length === names.length)] : []),
    ]),
    content: {
      'application/json': { schema, examples },
      // Functions that return pages also return their errors as pages. API Gateway always returns JSON.
      ...(isPage && names.some((name) => name !== 'throttled' && name !== 'timedOut')
        ? { 'text/html': pageContent }
        : {}),
    },
  };
}

/** Describes every response of an operation, by status. */
export function responses(endpoint: Endpoint, context: OpenApiContext): JsonObject {
  const successes = Object.entries(endpoint.replies).map(([status, reply]) => [
    status,
    { description: reply.description, ...headers(reply), ...content(reply, context) },
  ]);
  const byStatus = Map.groupBy(clientErrorsOf(endpoint), (name) => clientErrors[name].status);
  const errors = [...byStatus].map(([status, names]) => [
    String(status),
    errorResponse(names, status, hasReplyOf(endpoint, 'page')),
  ]);
  return Object.fromEntries([...successes, ...errors]);
}

/** Returns an example of each client error that the given operations can return. */
export const clientErrorExamples = (endpoints: readonly Endpoint[]): JsonObject =>
  Object.fromEntries(
    [...new Set(endpoints.flatMap(clientErrorsOf))].map((name) => {
      const { code, meaning, example } = clientErrors[name];
      return [name, { summary: meaning, value: { code, message: example } }];
    }),
  );
