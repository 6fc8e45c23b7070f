import * as z from 'zod/mini';
import type { Schema } from './reply.ts';

export type JsonObject = Record<string, unknown>;

/** A schema as JSON Schema: what may be given for it to parse. */
export function jsonSchema(schema: Schema): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return json;
}
