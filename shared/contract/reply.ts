import * as z from 'zod/mini';

// biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
export type Schema = z.ZodMiniType<any, any>;

/** The headers that a reply may declare; those that every answer has are the house's to add. */
export type HeaderName = 'cache-control' | 'content-disposition' | 'content-type' | 'etag' | 'link';

/** Headers by name. An optional schema makes an optional header. */
type Headers = Readonly<Partial<Record<HeaderName, z.ZodMiniType<string | undefined, string | undefined>>>>;
type NoHeaders = Record<never, never>;

interface HasHeaders<H extends Headers> {
  readonly headers: z.ZodMiniObject<H>;
}

/** JSON of a shape: fields that the schema does not name do not leave. */
export interface Json<S extends Schema = Schema, H extends Headers = Headers> extends HasHeaders<H> {
  readonly kind: 'json';
  readonly schema: S;
}

/** A status and headers, and no body. */
export interface Empty<H extends Headers = Headers> extends HasHeaders<H> {
  readonly kind: 'empty';
}

/** A page for people: a text, sent as HTML. */
export interface Page extends HasHeaders<NoHeaders> {
  readonly kind: 'page';
  readonly schema: z.ZodMiniString<string>;
}

/** Bytes, sent as a stream while they come; the header `content-type` says which of the media types they are of. */
export interface Bytes<H extends Headers = Headers> extends HasHeaders<H> {
  readonly kind: 'bytes';
  readonly mediaTypes: readonly string[];
}

export type Reply = Json | Empty | Page | Bytes;

interface Own<H extends Headers> {
  readonly headers: H;
}

const none: Own<NoHeaders> = { headers: {} };

// Strict: a header that is not declared is our own fault, not something to drop in silence.
const declare = <H extends Headers>({ headers }: Own<H>): HasHeaders<H> => ({ headers: z.strictObject(headers) });

/** A reply of JSON: only the fields that the schema names leave. */
export function json<S extends Schema>(schema: S): Json<S, NoHeaders>;
export function json<S extends Schema, H extends Headers>(schema: S, own: Own<H>): Json<S, H>;
export function json(schema: Schema, own: Own<Headers> = none): Json {
  return { kind: 'json', schema, ...declare(own) };
}

/** A reply without a body. */
export function empty(): Empty<NoHeaders>;
export function empty<H extends Headers>(own: Own<H>): Empty<H>;
export function empty(own: Own<Headers> = none): Empty {
  return { kind: 'empty', ...declare(own) };
}

/** A reply of a page for people. */
export const page = (): Page => ({ kind: 'page', schema: z.string(), ...declare(none) });

/** A reply of bytes of one of these media types, sent as a stream. */
export const bytes = <H extends Headers & { readonly 'content-type': Schema }>(
  mediaTypes: readonly string[],
  own: Own<H>,
): Bytes<H> => ({ kind: 'bytes', mediaTypes, ...declare(own) });
