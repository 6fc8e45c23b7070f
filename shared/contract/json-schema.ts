import * as z from 'zod/mini';
import type { Schema } from './reply-schemas.ts';

export type JsonObject = Record<string, unknown>;

/** Returns the JSON Schema of the input that a schema accepts. */
export function jsonSchema(schema: Schema): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return json;
}
