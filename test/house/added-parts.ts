// Adds an endpoint, an attribute and a setting to a copy of the product.

/** A file, a part of its text, and the text that replaces this part. */
export type Replacement = readonly [file: string, piece: string, by: string];

interface Part {
  readonly replacements: readonly Replacement[];
  readonly files: Readonly<Record<string, string>>;
}

const endpoints = 'shared/contract/endpoints/topics-endpoints.ts';

/** The added parts. Each key is a row of the table "Change it" in README.md. */
export const addedParts: Readonly<Record<'an endpoint' | 'an attribute' | 'a setting', Part>> = {
  'an endpoint': {
    replacements: [
      [
        endpoints,
        'export const deleteTopic =',
        `export const readTopic = defineEndpoint({
  operation: 'readTopic',
  method: 'GET',
  path: '/v1/topics/{uuid}',
  summary: 'Read a topic',
  description: 'Returns a topic.',
  scopes: ['notif.topic.read'],
  request: {
    path: { uuid: { schema: uuid, description: 'The UUID of the topic.', example: example.uuid } },
    query: { colour: { schema: z.optional(lineOfText), description: 'A colour.', example: 'blue' } },
  },
  replies: { 200: json(topic, { description: 'The topic.', example }) },
  errors: ['unknownTopic'],
  uses: ['topics:read'],
  reads: [],
  impact: 'Clients cannot read a topic.',
});

export const deleteTopic =`,
      ],
    ],
    files: {
      'functions/topics/read-topic.ts': `import { readTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { topics } from '../../shared/storage/topics/store.ts';

export const handler = serve(readTopic, [topics], async ({ path }, { topics }) => {
  const topic = await topics.get(path.uuid);
  if (topic === undefined) throw new ClientError('unknownTopic', 'no topic has this uuid');
  return ok(topic);
});
`,
      'test/functions/topics/read-topic.test.ts': `import { expect, it } from 'vitest';
import { handler } from '../../../functions/topics/read-topic.ts';

it('readTopic has a handler', () => {
  expect(handler).toBeTypeOf('function');
});
`,
    },
  },
  'an attribute': {
    replacements: [
      [
        'shared/domain/persons/attributes.ts',
        '  status: {',
        "  nationality: { kind: 'text', description: 'Nationality by ISO 3166-1.', example: 'ES' },\n  status: {",
      ],
    ],
    files: {},
  },
  'a setting': {
    replacements: [
      [
        'shared/contract/settings.ts',
        '  extraAttributes: {',
        "  longestTopicName: { schema: () => integer(1, 256), default: '64', meaning: 'characters of a topic name' },\n  extraAttributes: {",
      ],
      [
        endpoints,
        "uses: ['topics:list'],\n  reads: ['baseUrl'],",
        "uses: ['topics:list'],\n  reads: ['baseUrl', 'longestTopicName'],",
      ],
      ['functions/topics/list-topics.ts', '({ query }, { topics })', '({ query }, { topics, settings })'],
      [
        'functions/topics/list-topics.ts',
        '(topic) => topic',
        '(topic) => ({ ...topic, name: topic.name.slice(0, settings.longestTopicName) })',
      ],
    ],
    files: {},
  },
};

/** Replacements, each of which removes a required field. */
export const missingFields: readonly Replacement[] = [
  [endpoints, "  summary: 'Read a topic',\n  description: 'Returns a topic.',\n", "  summary: 'Read a topic',\n"],
  [
    'shared/domain/persons/attributes.ts',
    "{ kind: 'text', description: 'Nationality by ISO 3166-1.', example",
    "{ kind: 'text', example",
  ],
];

/** The files that do not compile without the removed fields, because their code or types depend on the fields. */
export const brokenByMissingFields: readonly string[] = [
  endpoints,
  'functions/topics/read-topic.ts',
  'shared/domain/persons/attributes.ts',
  'shared/contract/openapi/schema-of.ts',
];
