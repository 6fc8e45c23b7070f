import * as z from 'zod/mini';

// biome-ignore lint/suspicious/noExplicitAny: every schema is allowed here
export type Schema = z.ZodMiniType<any, any>;

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

interface Described<H extends Headers> {
  readonly description: string;
  readonly headers: z.ZodMiniObject<H>;
}

/** A JSON body. Fields that the schema does not define are removed from the body. */
export interface Json<S extends Schema = Schema, H extends Headers = Headers> extends Described<H> {
  readonly kind: 'json';
  readonly schema: S;
  readonly example: unknown;
}

/** A status and headers without a body. */
export interface Empty<H extends Headers = Headers> extends Described<H> {
  readonly kind: 'empty';
}

/** An HTML page for people. */
export interface Page extends Described<NoHeaders> {
  readonly kind: 'page';
  readonly schema: z.ZodMiniString<string>;
}

/** Example bodies in one media type, by name. */
export type ByteExamples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** Bytes, sent as a stream. The `content-type` header names one of the media types. */
export interface Bytes<H extends Headers = Headers> extends Described<H> {
  readonly kind: 'bytes';
  /** Every media type that the reply can have, with its examples. */
  readonly mediaTypes: Readonly<Record<string, ByteExamples>>;
}

export type Reply = Json | Empty | Page | Bytes;

// Use a strict schema, because an undeclared header is an internal error and must not be dropped silently.
const describe = <H extends Headers = NoHeaders>(description: string, headers?: H): Described<H> => ({
  description,
  headers: z.strictObject(headers ?? ({} as H)),
});

/** Declares a reply with a JSON body that has only the fields of the schema. */
export const json = <S extends Schema, H extends Headers = NoHeaders>(
  schema: S,
  { description, example, headers }: { description: string; example: NoInfer<z.input<S>>; headers?: H },
): Json<S, H> => ({ kind: 'json', schema, example, ...describe(description, headers) });

/** Declares a reply without a body. */
export const empty = <H extends Headers = NoHeaders>(description: string, headers?: H): Empty<H> => ({
  kind: 'empty',
  ...describe(description, headers),
});

/** Declares a reply with an HTML page for people. */
export const page = (description: string): Page => ({ kind: 'page', schema: z.string(), ...describe(description) });

/** Declares a reply that streams a body in one of the given media types. */
export const bytes = <H extends Headers & { readonly 'content-type': Schema }>(
  mediaTypes: Bytes['mediaTypes'],
  description: string,
  headers: H,
): Bytes<H> => ({ kind: 'bytes', mediaTypes, ...describe(description, headers) });
