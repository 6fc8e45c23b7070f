import * as z from 'zod/mini';

// biome-ignore lint/suspicious/noExplicitAny: every schema is allowed here
export type Schema = z.ZodMiniType<any, any>;

export type JsonObject = Record<string, unknown>;

/** Returns the JSON Schema of the input that a schema accepts. */
export function jsonSchema(schema: Schema): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return json;
}

/** The headers that a reply may declare. The handler kit adds the headers that every response has. */
export type HeaderName =
  | 'cache-control'
  | 'content-disposition'
  | 'content-security-policy'
  | 'content-type'
  | 'etag'
  | 'link';

/** Headers by name. A header with an optional schema is optional. */
type Headers = Readonly<Partial<Record<HeaderName, z.ZodMiniType<string | undefined, string | undefined>>>>;
type NoHeaders = Record<never, never>;

/** Example bodies in one media type, by name. */
export type ByteExamples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

// Use a strict schema, because an undeclared header is an internal error and must not be dropped silently.
const describe = <H extends Headers = NoHeaders>(description: string, headers?: H) => ({
  description,
  headers: z.strictObject(headers ?? ({} as H)),
});

/** Declares a reply with a JSON body. Fields that the schema does not define are removed from the body. */
export const json = <S extends Schema, H extends Headers = NoHeaders>(
  schema: S,
  { description, example, headers }: { description: string; example: NoInfer<z.input<S>>; headers?: H },
) => ({ kind: 'json' as const, schema, example, ...describe(description, headers) });

/** Declares a reply with a status and headers, but without a body. */
export const empty = <H extends Headers = NoHeaders>(description: string, headers?: H) => ({
  kind: 'empty' as const,
  ...describe(description, headers),
});

/** Declares a reply with an HTML page for people. */
export const page = (description: string) => ({ kind: 'page' as const, schema: z.string(), ...describe(description) });

/**
 * Declares a reply that streams a body. The `content-type` header names one of the media types.
 * @param mediaTypes every media type that the reply can have, with its examples
 */
export const bytes = <H extends Headers & { readonly 'content-type': Schema }>(
  mediaTypes: Readonly<Record<string, ByteExamples>>,
  description: string,
  headers: H,
) => ({ kind: 'bytes' as const, mediaTypes, ...describe(description, headers) });

export type Json = ReturnType<typeof json<Schema, Headers>>;
export type Empty = ReturnType<typeof empty<Headers>>;
export type Page = ReturnType<typeof page>;
export type Bytes = ReturnType<typeof bytes<Headers & { readonly 'content-type': Schema }>>;
export type Reply = Json | Empty | Page | Bytes;
