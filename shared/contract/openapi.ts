import { errorObject } from '../domain/error.ts';
import { eventTypes } from '../domain/topics/event.ts';
import { type Area, areas, type Endpoint, relevantScopes } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { JsonObject } from './json-schema.ts';
import { headOperation, operation } from './openapi/operation.ts';
import { clientErrorExamples } from './openapi/responses.ts';
import { type OpenApiContext, schemaOf } from './openapi/schema-of.ts';
import { webhookSchemas, webhooks } from './openapi/webhooks.ts';
import { scopes } from './scopes.ts';

const wholeTitle = 'Identity Registry and Notification Service';

/** The OpenAPI files: one for the whole API, and one for each OSIA interface with its own version. */
const parts = {
  all: { title: wholeTitle, version: '1.2.0', includes: undefined },
  identity: { title: `${wholeTitle}: identity`, version: '1.0.0', includes: ['persons', 'documents'] },
  notification: {
    title: `${wholeTitle}: notification`,
    version: '1.2.0',
    includes: ['topics', 'subscriptions', 'deliveries'],
  },
} as const satisfies Record<string, { title: string; version: string; includes: readonly Area[] | undefined }>;

const description =
  'OSIA identity and data access 1.0 and notification 1.2.0. Every error response is an Error object with a stable `code`.';

/** The parts of the OpenAPI file that depend on the deployment. */
export interface Deployment {
  readonly baseUrl: string;
  /** The token endpoint of the issuer. */
  readonly tokenUrl: string;
  readonly extraAttributes?: readonly string[];
}

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
      description: 'An access token obtained from the issuer by means other than client credentials.',
    },
  };
}

function pathsOf(included: readonly Endpoint[], context: OpenApiContext): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of included) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint, context),
      ...(endpoint.hasHead ? { head: headOperation(endpoint, context) } : {}),
    };
  }
  return paths;
}

/** Generates the OpenAPI 3.1 file of all operations, or of one part, from the contract. */
export function openApi(
  { baseUrl, tokenUrl, extraAttributes = [] }: Deployment,
  part: keyof typeof parts = 'all',
): JsonObject {
  const { title, version, includes }: { title: string; version: string; includes?: readonly Area[] | undefined } =
    parts[part];
  const included = endpoints.filter(({ area }) => includes === undefined || includes.includes(area));
  const context: OpenApiContext = { schemas: {}, extraAttributes };
  const paths = pathsOf(included, context);
  schemaOf(errorObject, context);
  const isDelivering = included.some(({ area }) => area === 'subscriptions');
  const tags = new Set<Area>([...included.map(({ area }) => area), ...(isDelivering ? (['deliveries'] as const) : [])]);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...tags].map((name) => ({ name, description: areas[name] })),
    paths,
    ...(isDelivering ? { webhooks: webhooks(eventTypes) } : {}),
    components: {
      securitySchemes: securitySchemes(included, tokenUrl),
      schemas: { ...context.schemas, ...(isDelivering ? webhookSchemas : {}) },
      examples: clientErrorExamples(included),
    },
  };
}
