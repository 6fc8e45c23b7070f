import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

export interface Source {
  readonly key: string;
  readonly etag: string;
}

/** Returns the folder that contains all renditions of one source. The hash keeps the name short and free of UINs. */
export const sourceFolder = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns the folder that contains the renditions of one version of a source. */
export const sourceAddress = ({ key, etag }: Source): string => `${sourceFolder(key)}/${etag.replace(/[^\w-]/g, '')}`;

/** The manifest of a rendition. The manifest is written last: a rendition exists only if its manifest exists. */
export const renditionManifest = z.object({
  parts: z.array(z.object({ name: z.string(), etag: z.string() })).check(z.minLength(1)),
});

/** Records that a file cannot be converted, so that the conversion is not repeated immediately. */
export const failedRendition = z.object({
  refusal: z.literal('unconvertible'),
  message: z.string(),
});
export type FailedRendition = z.infer<typeof failedRendition>;

export type Rendition = readonly Uint8Array[];

/**
 * Stores renditions. The address of a rendition is derived from the key and ETag of the source, and from the request.
 */
export interface RenditionStore {
  get(address: string): Promise<{ readonly parts: Rendition } | FailedRendition | undefined>;
  put(address: string, parts: Rendition, extension: string): Promise<void>;
  putFailure(address: string, failure: FailedRendition): Promise<void>;
}
