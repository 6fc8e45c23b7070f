import * as z from 'zod/mini';
import type { JsonObject } from '../json-schema.ts';

/**
 * What JSON Schema says of a schema beyond its shape: description, examples, format, and as `id` the name of its component.
 * It stands beside the schemas, where no function loads it.
 */
export const words = z.registry<JsonObject>();

type Fields<S extends z.ZodMiniObject> = { readonly [Name in keyof S['shape']]: JsonObject };

/** Gives an object schema a name, and every field of it a description. */
export function describeObject<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  description: string,
  fields: Fields<S>,
): void {
  words.add(schema, { id, description });
  for (const [name, meta] of Object.entries<JsonObject>(fields)) words.add(schema.shape[name] as z.ZodMiniType, meta);
}

/** A description with an example. */
export const say = (description: string, example: unknown, more: JsonObject = {}): JsonObject => ({
  description,
  examples: [example],
  ...more,
});

/** The same of a moment (RFC 3339). */
export const moment = (description: string, example = '2026-11-20T08:00:00.000Z'): JsonObject =>
  say(description, example, { format: 'date-time' });

/** The same of a UUID. */
export const anUuid = (description: string, example = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61'): JsonObject =>
  say(description, example, { format: 'uuid' });
