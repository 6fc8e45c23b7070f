import type { Endpoint, Parameters } from '../endpoint.ts';
import type { JsonObject } from '../json-schema.ts';
import { ignoredParameters } from '../parameters.ts';
import type { Schema } from '../reply.ts';
import { anyJson } from './any-json.ts';
import { attributeWords } from './attribute-words.ts';
import { eventsOf } from './events.ts';
import { operationWords } from './operation-words.ts';
import { parameterWords } from './parameter-words.ts';
import { responses } from './responses.ts';
import { attributeSchema, attributesOf, type Drawing, schemaOf } from './schema-of.ts';

// Those of these names say nothing in OpenAPI (3.1, 4.8.12.2.1): its own fields say what they would.
const isSaidElsewhere = (name: string): boolean => name === 'accept';

const isRequired = (schema: Schema): boolean => !schema.safeParse(undefined).success;

function parameters(
  endpoint: Endpoint,
  place: 'path' | 'query' | 'header',
  declared: Parameters = {},
  drawing: Drawing,
): JsonObject[] {
  const described = Object.entries(declared).filter(([name]) => !isSaidElsewhere(name));
  return described.map(([name, schema]) => {
    const words = parameterWords[`${endpoint.operation} ${name}`] ?? parameterWords[name];
    return {
      name: place === 'header' ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
      in: place,
      description: words?.description,
      required: place === 'path' || isRequired(schema),
      schema: words?.schema ?? schemaOf(schema, drawing),
      example: words?.example,
    };
  });
}

/** A search has one optional parameter per attribute. */
const searchParameters = (drawing: Drawing): JsonObject[] =>
  attributesOf(drawing).map(([name, kind]) => ({
    name,
    in: 'query',
    description: `Find those who have this: ${attributeWords(name).description}`,
    required: false,
    schema: attributeSchema(kind),
    example: attributeWords(name).example,
  }));

const ignored = (): JsonObject[] =>
  ignoredParameters.map((name) => ({
    name,
    in: 'query',
    description: parameterWords[name]?.description,
    required: false,
    schema: { type: 'string' },
    example: parameterWords[name]?.example,
  }));

function requestBody({ operation, request }: Endpoint, drawing: Drawing): JsonObject {
  if (request.body === undefined) return {};
  const example = operationWords[operation]?.request;
  const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema, example } });
  if ('json' in request.body) {
    return { requestBody: { required: true, content: json(schemaOf(request.body.json, drawing)) } };
  }
  const text = { 'text/plain': { schema: { type: 'string', minLength: 1 }, example: 'any text' } };
  // Of other types than OSIA's any body will do.
  return { requestBody: { required: true, content: { ...json({ anyOf: [...eventsOf(drawing), anyJson] }), ...text } } };
}

/** An operation as OpenAPI has it. */
export function operation(endpoint: Endpoint, drawing: Drawing): JsonObject {
  const { request, scopes } = endpoint;
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: operationWords[endpoint.operation]?.description,
    tags: [endpoint.area],
    // Either scope of a pair suffices; tokens may also come by other ways than this one.
    security: scopes.length === 0 ? [] : [...scopes.map((scope) => ({ oauth2: [scope] })), { bearer: [] }],
    parameters: [
      ...parameters(endpoint, 'path', request.path, drawing),
      ...parameters(endpoint, 'query', request.query, drawing),
      ...(request.hasAttributes ? searchParameters(drawing) : []),
      ...(request.query?.transactionId === undefined ? ignored() : []),
      ...parameters(endpoint, 'header', request.headers, drawing),
    ],
    ...requestBody(endpoint, drawing),
    responses: responses(endpoint, drawing),
  };
}

/** The same asked for by HEAD: nothing that it answers has a body. */
export function headOperation(endpoint: Endpoint, drawing: Drawing): JsonObject {
  const { responses: answers, ...rest } = operation(endpoint, drawing);
  const bare = Object.entries(answers as Record<string, JsonObject>).map(([status, { content: _, ...answer }]) => [
    status,
    answer,
  ]);
  return {
    ...rest,
    operationId: `${endpoint.operation}Head`,
    summary: `${endpoint.summary}: the headers alone`,
    responses: Object.fromEntries(bare),
  };
}
