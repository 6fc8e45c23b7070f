import { errorObject } from '../model/error.ts';
import { attributeKinds, attributeSchemas } from '../model/persons/attributes.ts';
import { type RefusalName, refusals } from '../model/refusals.ts';
import { eventSchema, eventTypes } from '../model/topics/event.ts';
import { answers, countingScopes, type Endpoint, type Parameters } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type JsonObject, jsonSchema } from './json-schema.ts';
import { ignoredParameters } from './parameters.ts';
import { refusalsOf } from './refusals-of.ts';
import type { Reply, Schema } from './reply.ts';
import { scopes } from './scopes.ts';

type ObjectSchema = { readonly properties: JsonObject; readonly required?: readonly string[] };

const isRequired = (schema: Schema): boolean => !schema.safeParse(undefined).success;

const parameters = (place: 'path' | 'query' | 'header', declared: Parameters = {}): JsonObject[] =>
  Object.entries(declared).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema),
    schema: jsonSchema(schema),
  }));

/** A search has one optional parameter per attribute. */
const searchParameters = (): JsonObject[] =>
  Object.entries(attributeKinds).map(([name, kind]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(attributeSchemas[kind]),
  }));

const ignored = (): JsonObject[] =>
  ignoredParameters.map((name) => ({
    name,
    in: 'query',
    required: false,
    description: 'ignored',
    schema: { type: 'string' },
  }));

function requestBody({ request }: Endpoint): JsonObject {
  if (request.body === undefined) return {};
  const isText = 'text' in request.body;
  const events = { anyOf: eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` })) };
  const content = isText
    ? { 'application/json': { schema: { anyOf: [events, {}] } }, 'text/plain': { schema: { type: 'string' } } }
    : { 'application/json': { schema: jsonSchema(request.body.json) } };
  return { requestBody: { required: true, content } };
}

// How long to wait (RFC 9110 section 10.2.3), where it is a function that answers so, not the gateway.
const retryAfter = {
  headers: { 'Retry-After': { description: 'seconds to wait', schema: { type: 'integer' } } },
};

const errorReply = (names: readonly RefusalName[], status: number, isPage: boolean): JsonObject => {
  const isOurs = names.some((name) => name !== 'throttled');
  return {
    description: names.map((name) => `${refusals[name].code} ${refusals[name].meaning}`).join('; '),
    ...(isOurs && status === 429 ? retryAfter : {}),
    content: isPage
      ? { 'text/html': { schema: { type: 'string' } } }
      : { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
};

function content(reply: Reply): JsonObject {
  switch (reply.kind) {
    case 'empty':
      return {};
    case 'json':
      return { content: { 'application/json': { schema: jsonSchema(reply.schema) } } };
    case 'page':
      return { content: { 'text/html': { schema: jsonSchema(reply.schema) } } };
    case 'bytes':
      // Their media type says all (OpenAPI 3.1, 4.8.14.2).
      return { content: Object.fromEntries(reply.mediaTypes.map((mediaType) => [mediaType, {}])) };
  }
}

function headers(reply: Reply): JsonObject {
  // What bytes are of is said by their content: a header of that name is ignored here (OpenAPI 3.1, 4.8.17).
  const described = Object.keys(reply.headers.shape).filter((name) => name !== 'content-type');
  const { properties, required = [] } = jsonSchema(reply.headers) as ObjectSchema;
  const entries = described.map((name) => [name, { required: required.includes(name), schema: properties[name] }]);
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

function responses(endpoint: Endpoint): JsonObject {
  const { replies } = endpoint;
  const answered = Object.entries(replies).map(([status, reply]) => [
    status,
    { description: status === '304' ? 'not changed' : 'done', ...headers(reply), ...content(reply) },
  ]);
  const byStatus = Map.groupBy(refusalsOf(endpoint), (name) => refusals[name].status);
  const refused = [...byStatus].map(([status, names]) => [
    String(status),
    // What the gateway answers by itself is JSON also in a page's place.
    errorReply(names, status, answers(endpoint, 'page') && status !== 429 && status !== 504),
  ]);
  return Object.fromEntries([...answered, ...refused]);
}

const operation = (endpoint: Endpoint): JsonObject => ({
  operationId: endpoint.operation,
  summary: endpoint.summary,
  tags: [endpoint.area],
  // Either scope of a pair suffices.
  security: endpoint.scopes.map((scope) => ({ bearer: [scope] })),
  parameters: [
    ...parameters('path', endpoint.request.path),
    ...parameters('query', endpoint.request.query),
    ...(endpoint.request.hasAttributes ? searchParameters() : []),
    ...(endpoint.request.query?.transactionId === undefined ? ignored() : []),
    ...parameters('header', endpoint.request.headers),
  ],
  ...requestBody(endpoint),
  responses: responses(endpoint),
});

const wholeTitle = 'Identity Registry and Notification Service';

/** The parts that OSIA has as interfaces of their own, in its versions, and both with what is ours. */
const parts = {
  all: { title: wholeTitle, version: '1.2.0', areas: undefined },
  identity: { title: `${wholeTitle}: identity`, version: '1.0.0', areas: ['persons', 'documents'] },
  notification: { title: `${wholeTitle}: notification`, version: '1.2.0', areas: ['topics', 'subscriptions'] },
} as const satisfies Record<string, { title: string; version: string; areas: readonly Endpoint['area'][] | undefined }>;

/** The OpenAPI 3.1 description of the operations that are served, or of a part of them, made from the contract. */
export function openApi(baseUrl: string, part: keyof typeof parts = 'all'): JsonObject {
  const { title, version, areas }: { areas?: readonly string[] | undefined; title: string; version: string } =
    parts[part];
  const described = endpoints.filter(({ area }) => areas === undefined || areas.includes(area));
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of described) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  const hasEvents = described.some(({ request: { body } }) => body !== undefined && 'text' in body);
  const events = (hasEvents ? eventTypes : []).map((type) => [type, jsonSchema(eventSchema(type))]);
  const needed = new Set<string>(described.flatMap(countingScopes));
  const scopeList = Object.entries(scopes)
    .filter(([scope]) => needed.has(scope))
    .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: `Access tokens carry scopes:\n${scopeList.join('\n')}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: jsonSchema(errorObject), ...Object.fromEntries(events) },
    },
  };
}
