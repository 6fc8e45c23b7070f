import { errorObject } from '../domain/error.ts';
import { type Endpoint, relevantScopes } from './endpoint.ts';
import { subscribe } from './endpoints/subscriptions-endpoints.ts';
import { type Area, areaOf, areas, endpoints } from './endpoints.ts';
import { deliveryCallbacks, deliveryResponses, deliverySchemas } from './openapi/callbacks.ts';
import type { OpenApiFile, Parameter } from './openapi/openapi-file.ts';
import { headOperation, operation } from './openapi/operation.ts';
import { errorResponses } from './openapi/responses.ts';
import { type OpenApiContext, schemaOf } from './openapi/schema-of.ts';
import { asVersion30 } from './openapi/version-30.ts';
import type { JsonObject } from './schemas.ts';
import { scopes } from './scopes.ts';

const wholeTitle = 'Identity Registry and Notification Service';

/** The OpenAPI files: one for the whole API, and one for each OSIA interface. Each file has its own version. */
const parts = {
  all: { title: wholeTitle, version: '1.2.0', includes: Object.keys(areas) as Area[] },
  identity: { title: `${wholeTitle}: identity`, version: '1.0.0', includes: ['persons', 'documents'] },
  notification: {
    title: `${wholeTitle}: notification`,
    version: '1.2.0',
    includes: ['topics', 'subscriptions', 'deliveries'],
  },
} as const satisfies Record<string, { title: string; version: string; includes: readonly Area[] }>;

const description =
  'Implements OSIA identity and data access 1.0 and OSIA notification 1.2.0. Every error response is an Error object with a stable `code`.';

function securitySchemes(included: readonly Endpoint[], tokenUrl: string): JsonObject {
  const needed = new Set<string>(included.flatMap(relevantScopes));
  const meanings = Object.fromEntries(Object.entries(scopes).filter(([scope]) => needed.has(scope)));
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access tokens from the issuer. Each operation requires one of the scopes listed for it.',
      flows: { clientCredentials: { tokenUrl, scopes: meanings } },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token that a client obtained from the issuer without the client credentials flow.',
    },
  };
}

function pathsOf(included: readonly Endpoint[], context: OpenApiContext): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of included) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: {
        ...operation(endpoint, context),
        ...(endpoint.operation === subscribe.operation ? { callbacks: deliveryCallbacks } : {}),
      },
      ...(endpoint.hasHead ? { head: headOperation(endpoint, context) } : {}),
    };
  }
  return paths;
}

const isParameter = (value: unknown): value is Parameter =>
  typeof value === 'object' && value !== null && 'in' in value && 'name' in value && 'schema' in value;

/** Moves the parameters that operations share to the components. Each operation refers to its shared parameters. */
function shareParameters(paths: JsonObject) {
  const found: Parameter[] = [];
  JSON.stringify(paths, (_, value) => {
    if (isParameter(value)) found.push(value);
    return value;
  });
  const alike = Map.groupBy(found, (one) => JSON.stringify(one)).values();
  const repeated = [...alike].flatMap(([first, ...others]) => (first && others.length > 0 ? [first] : []));
  const parameters = Object.fromEntries(repeated.map((one) => [one.name, one]));
  const isShared = (value: unknown): value is Parameter =>
    isParameter(value) && JSON.stringify(value) === JSON.stringify(parameters[value.name]);
  const shared = JSON.stringify(paths, (_, value) =>
    isShared(value) ? { $ref: `#/components/parameters/${value.name}` } : value,
  );
  return { paths: JSON.parse(shared) as OpenApiFile['paths'], parameters };
}

/**
 * Generates the OpenAPI file for all operations, or for one part, from the contract. The file for all operations uses
 * OpenAPI 3.1. The files for single OSIA interfaces use OpenAPI 3.0, like OSIA's own files.
 * @param deployment the values that depend on the deployment. `tokenUrl` is the token endpoint of the issuer
 */
export function openApi(
  {
    baseUrl,
    tokenUrl,
    extraAttributes = [],
  }: { baseUrl: string; tokenUrl: string; extraAttributes?: readonly string[] },
  part: keyof typeof parts = 'all',
): OpenApiFile {
  const { title, version } = parts[part];
  const includes: readonly Area[] = parts[part].includes;
  const included = endpoints.filter((one) => includes.includes(areaOf(one)));
  const context: OpenApiContext = { schemas: {}, headers: {}, extraAttributes };
  const { parameters, paths } = shareParameters(pathsOf(included, context));
  schemaOf(errorObject, context);
  const isDelivering = included.includes(subscribe);
  const file = {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: includes.map((name) => ({ name, description: areas[name].description })),
    paths,
    components: {
      securitySchemes: securitySchemes(included, tokenUrl),
      schemas: { ...context.schemas, ...(isDelivering ? deliverySchemas : {}) },
      responses: { ...errorResponses(included, context), ...(isDelivering ? deliveryResponses : {}) },
      headers: context.headers,
      parameters,
    },
  };
  return part === 'all' ? file : asVersion30(file);
}
