import { type RefusalName, refusals } from '../../model/refusals.ts';
import { answers, type Endpoint } from '../endpoint.ts';
import { type JsonObject, jsonSchema } from '../json-schema.ts';
import { refusalsOf } from '../refusals-of.ts';
import type { Reply } from '../reply.ts';
import { bytesContent } from './byte-examples.ts';
import { headerOf } from './headers.ts';
import { operationWords } from './operation-words.ts';
import { type Drawing, schemaOf } from './schema-of.ts';

/** Refusals that say when to try again; those of the gateway do not. */
const timed: readonly RefusalName[] = ['beingSentOut', 'tooManyConfirmations', 'askedTooOften'];

function content(operation: string, reply: Reply, drawing: Drawing): JsonObject {
  const { example } = operationWords[operation] ?? {};
  switch (reply.kind) {
    case 'empty':
      return {};
    case 'json':
      return { content: { 'application/json': { schema: schemaOf(reply.schema, drawing), example } } };
    case 'page':
      return { content: { 'text/html': { schema: { type: 'string' }, example } } };
    case 'bytes':
      return {
        content: Object.fromEntries(reply.mediaTypes.map((one) => [one, bytesContent(operation, one)])),
      };
  }
}

function headers(reply: Reply): JsonObject {
  const { properties, required = [] } = jsonSchema(reply.headers) as {
    properties: JsonObject;
    required?: readonly string[];
  };
  // What bytes are of is said by their content: a header of that name is ignored here (OpenAPI 3.1, 4.8.17).
  const own = Object.keys(properties).filter((name) => name !== 'content-type');
  const all = own.map((name) => headerOf(name, required.includes(name)));
  // What says nothing of it is kept by nobody.
  return {
    headers: Object.fromEntries(own.includes('cache-control') ? all : [...all, headerOf('cache-control', true)]),
  };
}

function refusal(names: readonly RefusalName[], status: number, isPage: boolean): JsonObject {
  const isTimed = names.some((name) => timed.includes(name));
  const codes = names.map((name) => refusals[name].code);
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', required: ['code'], properties: { code: { type: 'integer', enum: codes } } },
    ],
  };
  const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
  return {
    description: names.map((name) => `${refusals[name].code} ${refusals[name].meaning}`).join('; '),
    headers: Object.fromEntries([
      headerOf('cache-control', true),
      ...(status === 401 ? [headerOf('www-authenticate', true)] : []),
      ...(isTimed
        ? [
            headerOf(
              'retry-after',
              names.every((name) => timed.includes(name)),
            ),
          ]
        : []),
    ]),
    content: {
      'application/json': { schema, examples },
      // What a function refuses in the place of a page; the gateway's own refusals are JSON there, too.
      ...(isPage && names.some((name) => name !== 'throttled' && name !== 'timedOut')
        ? { 'text/html': { schema: { type: 'string' }, example: '<!doctype html><title>…</title>' } }
        : {}),
    },
  };
}

/** Everything that an operation answers, by status. */
export function responses(endpoint: Endpoint, drawing: Drawing): JsonObject {
  const words = operationWords[endpoint.operation];
  const answered = Object.entries(endpoint.replies).map(([status, reply]) => [
    status,
    {
      description: status === '304' ? 'What the caller has is still right.' : words?.answer,
      ...headers(reply),
      ...content(endpoint.operation, reply, drawing),
    },
  ]);
  const byStatus = Map.groupBy(refusalsOf(endpoint), (name) => refusals[name].status);
  const refused = [...byStatus].map(([status, names]) => [
    String(status),
    refusal(names, status, answers(endpoint, 'page')),
  ]);
  return Object.fromEntries([...answered, ...refused]);
}

/** An Error object of each refusal that is referred to by these operations. */
export const refusalExamplesOf = (described: readonly Endpoint[], messages: Readonly<Record<RefusalName, string>>) =>
  Object.fromEntries(
    [...new Set(described.flatMap(refusalsOf))].map((name) => [
      name,
      { summary: refusals[name].meaning, value: { code: refusals[name].code, message: messages[name] } },
    ]),
  );
