import * as z from 'zod/mini';
import { errorObject } from '../model/error.ts';
import { attributeKinds, attributeMap, attributeSchemas } from '../model/persons/attributes.ts';
import { type RefusalName, refusals } from '../model/refusals.ts';
import { eventSchema, eventTypes } from '../model/topics/event.ts';
import type { Endpoint, Parameters } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ignoredParameters } from './parameters.ts';
import { scopes } from './scopes.ts';

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
type Schema = z.ZodMiniType<any, any>;

const attributes = (): Json => ({
  type: 'object',
  minProperties: 1,
  properties: Object.fromEntries(
    Object.entries(attributeKinds)
      .filter(([name]) => name !== 'uin')
      .map(([name, kind]) => [name, jsonSchema(attributeSchemas[kind])]),
  ),
});

function jsonSchema(schema: Schema): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The check of names and values is the deployment's (it may declare more): say here what every one has.
      if ((zodSchema as unknown) === attributeMap) Object.assign(jsonSchema, attributes());
    },
  }) as Json;
  return json;
}

const isRequired = (schema: Schema): boolean => !schema.safeParse(undefined).success;

const parameters = (place: 'path' | 'query' | 'header', declared: Parameters = {}): Json[] =>
  Object.entries(declared).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema),
    schema: jsonSchema(schema),
  }));

/** A search has one optional parameter per attribute. */
const searchParameters = (): Json[] =>
  Object.entries(attributeKinds).map(([name, kind]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(attributeSchemas[kind]),
  }));

const ignored = (): Json[] =>
  ignoredParameters.map((name) => ({
    name,
    in: 'query',
    required: false,
    description: 'ignored',
    schema: { type: 'string' },
  }));

function requestBody({ request }: Endpoint): Json {
  if (request.body === undefined) return {};
  const isText = 'text' in request.body;
  const events = { anyOf: eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` })) };
  const content = isText
    ? { 'application/json': { schema: { anyOf: [events, {}] } }, 'text/plain': { schema: { type: 'string' } } }
    : { 'application/json': { schema: jsonSchema(request.body.json) } };
  return { requestBody: { required: true, content } };
}

const errorReply = (status: number, isPage: true | undefined): Json => {
  const names = (Object.keys(refusals) as RefusalName[]).filter((name) => refusals[name].status === status);
  return {
    description: names.map((name) => `${refusals[name].code} ${refusals[name].meaning}`).join('; '),
    content: isPage
      ? { 'text/html': { schema: { type: 'string' } } }
      : { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
};

function answer(schema: Schema | null, { streams = [], isPage }: Endpoint): Json {
  if (schema !== null) {
    const mediaType = isPage ? 'text/html' : 'application/json';
    return { description: 'done', content: { [mediaType]: { schema: jsonSchema(schema) } } };
  }
  // Bytes: their media type says all (OpenAPI 3.1, 4.8.14.2).
  const content = Object.fromEntries(streams.map((mediaType) => [mediaType, {}]));
  return streams.length === 0 ? { description: 'done' } : { description: 'done', content };
}

function responses(endpoint: Endpoint): Json {
  const { replies, refuses, scopes: needed, isPage } = endpoint;
  const answered = Object.entries(replies).map(([status, schema]) => [
    status,
    status === '304' ? { description: 'not changed' } : answer(schema, endpoint),
  ]);
  const refused = [...refuses, ...(needed.length === 0 ? [] : [401, 403]), 429, 500, 504].map((status) => [
    String(status),
    // What the gateway answers by itself is JSON also in a page's place.
    errorReply(status, status === 429 || status === 504 ? undefined : isPage),
  ]);
  return Object.fromEntries([...answered, ...refused]);
}

const operation = (endpoint: Endpoint): Json => ({
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

/** The OpenAPI 3.1 description of every operation that is served, made from the contract. */
export function openApi(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  const events = eventTypes.map((type) => [type, jsonSchema(eventSchema(type))]);
  const scopeList = Object.entries(scopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity Registry and Notification Service',
      version: '1.2.0',
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
