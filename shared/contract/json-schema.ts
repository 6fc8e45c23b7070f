import * as z from 'zod/mini';
import {
  attributeAnswers,
  attributeKinds,
  attributeMap,
  attributeSchemas,
  describedAnswers,
} from '../model/persons/attributes.ts';
import type { Schema } from './reply.ts';

export type JsonObject = Record<string, unknown>;

const attributes = (): JsonObject => ({
  type: 'object',
  minProperties: 1,
  properties: Object.fromEntries(
    Object.entries(attributeKinds)
      .filter(([name]) => name !== 'uin')
      .map(([name, kind]) => [name, jsonSchema(attributeSchemas[kind])]),
  ),
});

function answers(): JsonObject {
  const { propertyNames: _, ...json } = jsonSchema(describedAnswers);
  return json;
}

/** A schema as JSON Schema: what may be given for it to parse. */
export function jsonSchema(schema: Schema): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The check of names and values is the deployment's (it may declare more): say here what every one has.
      if ((zodSchema as unknown) === attributeMap) Object.assign(jsonSchema, attributes());
      if ((zodSchema as unknown) === attributeAnswers) Object.assign(jsonSchema, answers());
    },
  }) as JsonObject;
  return json;
}
