import type { Endpoint } from '../endpoint.ts';
import { areaOf } from '../endpoints.ts';
import { ignoredParameters, isRequired, type Parameters } from '../parameters.ts';
import type { JsonObject } from '../schemas.ts';
import { eventBody } from './events.ts';
import { errorCodes, responses } from './responses.ts';
import { attributesOf, type OpenApiContext, schemaOf, schemaOfKind } from './schema-of.ts';

const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const parameters = (
  place: 'path' | 'query' | 'header',
  declared: Parameters = {},
  context: OpenApiContext,
): JsonObject[] =>
  Object.entries(declared)
    // OpenAPI ignores header parameters named `Accept` (3.1, 4.8.12.2.1).
    .filter(([name]) => name !== 'accept')
    .map(([name, parameter]) => ({
      name: place === 'header' ? headerName(name) : name,
      in: place,
      description: parameter.description,
      ...((place === 'path' || isRequired(parameter)) && { required: true }),
      schema: parameter.documentedSchema ?? schemaOf(parameter.schema, context),
      example: parameter.example,
    }));

/** Describes one optional query parameter for each searchable attribute. */
const searchParameters = (context: OpenApiContext): JsonObject[] =>
  attributesOf(context).map(([name, { kind, description, example }]) => ({
    name,
    in: 'query',
    description: `Find persons with this value. ${description}`,
    schema: schemaOfKind[kind],
    example,
  }));

function requestBody({ request: { body } }: Endpoint, context: OpenApiContext): JsonObject {
  if (body === undefined) return {};
  const { example } = body;
  const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema, example } });
  if ('json' in body) return { requestBody: { required: true, content: json(schemaOf(body.json, context)) } };
  const text = { 'text/plain': { schema: { type: 'string', minLength: 1 }, example: 'any text' } };
  // Events whose type OSIA does not define may have any body.
  return { requestBody: { required: true, content: { ...json(eventBody(context)), ...text } } };
}

/**
 * Returns the operationId. The OSIA operationId takes precedence, so that clients generated from the OSIA files remain
 * compatible.
 */
const operationId = ({ operation, osiaId }: Endpoint): string => osiaId ?? operation;

export function operation(endpoint: Endpoint, context: OpenApiContext): JsonObject {
  const { request, scopes } = endpoint;
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${errorCodes(endpoint)}`,
    tags: [areaOf(endpoint)],
    // Any one of the scopes is sufficient. Clients may also obtain tokens by means other than the OAuth 2.0 client
    // credentials flow.
    security: scopes.length === 0 ? [] : [...scopes.map((scope) => ({ oauth2: [scope] })), { bearer: [] }],
    parameters: [
      ...parameters('path', request.path, context),
      ...parameters('query', request.query, context),
      ...(request.hasAttributes ? searchParameters(context) : []),
      ...(request.query?.transactionId === undefined ? parameters('query', ignoredParameters, context) : []),
      ...parameters('header', request.headers, context),
    ],
    ...requestBody(endpoint, context),
    responses: responses(endpoint, context),
  };
}

/** Returns the HEAD operation of an endpoint: its GET operation without response bodies. */
export function headOperation(endpoint: Endpoint, context: OpenApiContext): JsonObject {
  const { responses: ofGet, ...rest } = operation(endpoint, context);
  const withoutContent = Object.entries(ofGet as Record<string, JsonObject>).map(
    ([status, { content: _, ...response }]) => [status, response],
  );
  return {
    ...rest,
    operationId: `${operationId(endpoint)}Head`,
    summary: `${endpoint.summary}: headers only`,
    responses: Object.fromEntries(withoutContent),
  };
}
