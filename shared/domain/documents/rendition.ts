import * as z from 'zod/mini';

/** What is written last of a rendition, and the only thing that says it is there. */
export const renditionManifest = z.object({
  parts: z.array(z.object({ name: z.string(), etag: z.string() })).check(z.minLength(1)),
});

/** That a file cannot be converted, remembered so that it is not tried again at once. */
export const failedRendition = z.object({
  refusal: z.literal('unconvertible'),
  message: z.string(),
});
export type FailedRendition = z.infer<typeof failedRendition>;

/** The files that a conversion made, in order. */
export type Rendition = readonly Uint8Array[];

/** Where conversions are kept, by an address that is a function of the source's bytes and of what was asked. */
export interface RenditionStore {
  get(address: string): Promise<{ readonly parts: Rendition } | FailedRendition | undefined>;
  put(address: string, parts: Rendition, extension: string): Promise<void>;
  putFailure(address: string, failure: FailedRendition): Promise<void>;
}
