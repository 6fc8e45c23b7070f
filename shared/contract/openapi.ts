import { errorObject } from '../domain/error.ts';
import { eventTypes } from '../domain/topics/event.ts';
import { countingScopes, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { JsonObject } from './json-schema.ts';
import { headOperation, operation } from './openapi/operation.ts';
import { refusalExamples } from './openapi/refusal-examples.ts';
import { refusalExamplesOf } from './openapi/responses.ts';
import { type Drawing, schemaOf } from './openapi/schema-of.ts';
import { webhookSchemas, webhooks } from './openapi/webhooks.ts';
import { scopes } from './scopes.ts';

const wholeTitle = 'Identity Registry and Notification Service';

/** The parts that OSIA has as interfaces of their own, in its versions, and both with what is ours. */
const parts = {
  all: { title: wholeTitle, version: '1.2.0', areas: undefined },
  identity: { title: `${wholeTitle}: identity`, version: '1.0.0', areas: ['persons', 'documents'] },
  notification: {
    title: `${wholeTitle}: notification`,
    version: '1.2.0',
    areas: ['topics', 'subscriptions', 'deliveries'],
  },
} as const satisfies Record<string, { title: string; version: string; areas: readonly Endpoint['area'][] | undefined }>;

const areaMeanings: Readonly<Record<Endpoint['area'], string>> = {
  persons: 'UINs, and what is known of persons.',
  documents: 'Certificates.',
  topics: 'Channels of events, and publishing.',
  subscriptions: 'Who receives the events of a topic.',
  deliveries: 'What became of messages, and the messages themselves.',
  access: 'Public keys, and this description.',
  pages: 'Pages that people reach from their mails.',
};

const description =
  'OSIA identity and data access 1.0 and notification 1.2.0. Every refusal is an Error object, whose `code` is stable.';

/** What differs by deployment. */
export interface Described {
  readonly baseUrl: string;
  /** Where the issuer gives out access tokens. */
  readonly tokenUrl: string;
  readonly extraAttributes?: readonly string[];
}

function securitySchemes(described: readonly Endpoint[], tokenUrl: string): JsonObject {
  const needed = new Set<string>(described.flatMap(countingScopes));
  const meanings = Object.fromEntries(Object.entries(scopes).filter(([scope]) => needed.has(scope)));
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access tokens of the issuer; an operation needs one of the scopes that it names.',
      flows: { clientCredentials: { tokenUrl, scopes: meanings } },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The same token, got in another way.' },
  };
}

function pathsOf(described: readonly Endpoint[], drawing: Drawing): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of described) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint, drawing),
      ...(endpoint.hasHead ? { head: headOperation(endpoint, drawing) } : {}),
    };
  }
  return paths;
}

/** The OpenAPI 3.1 description of the operations that are served, or of a part of them, made from the contract. */
export function openApi(
  { baseUrl, tokenUrl, extraAttributes = [] }: Described,
  part: keyof typeof parts = 'all',
): JsonObject {
  const { title, version, areas }: { areas?: readonly string[] | undefined; title: string; version: string } =
    parts[part];
  const described = endpoints.filter(({ area }) => areas === undefined || areas.includes(area));
  const drawing: Drawing = { schemas: {}, extraAttributes };
  const paths = pathsOf(described, drawing);
  schemaOf(errorObject, drawing);
  const isDelivering = described.some(({ area }) => area === 'subscriptions');
  const tags = new Set([...described.map(({ area }) => area), ...(isDelivering ? (['deliveries'] as const) : [])]);
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
    tags: [...tags].map((name) => ({ name, description: areaMeanings[name] })),
    paths,
    ...(isDelivering ? { webhooks: webhooks(eventTypes) } : {}),
    components: {
      securitySchemes: securitySchemes(described, tokenUrl),
      schemas: { ...drawing.schemas, ...(isDelivering ? webhookSchemas : {}) },
      examples: refusalExamplesOf(described, refusalExamples),
    },
  };
}
