import { ClientError } from '../client-errors.ts';

export const documentFormats = {
  pdf: { mediaType: 'application/pdf', extension: 'pdf', aliases: [] },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg', aliases: ['jpg', 'image/jpg'] },
  png: { mediaType: 'image/png', extension: 'png', aliases: [] },
  tiff: { mediaType: 'image/tiff', extension: 'tiff', aliases: ['tif', 'image/tif'] },
  webp: { mediaType: 'image/webp', extension: 'webp', aliases: [] },
} as const satisfies Record<string, { mediaType: string; extension: string; aliases: readonly string[] }>;

export type Format = keyof typeof documentFormats;
export type PageFormat = Exclude<Format, 'pdf' | 'tiff'>;

export const mediaTypes: readonly string[] = Object.values(documentFormats).map(({ mediaType }) => mediaType);

/**
 * Parses the query parameter for the format: a name, an alias or a media type, in upper or lower case.
 * @throws ClientError `unsupportedFormat`
 */
export function readFormat(text: string): Format {
  const wanted = text.toLowerCase();
  const names = Object.keys(documentFormats) as Format[];
  const found = names.find((name) => {
    const { mediaType, aliases } = documentFormats[name];
    return [name, mediaType, ...aliases].some((known) => known === wanted);
  });
  if (found !== undefined) return found;
  throw new ClientError('unsupportedFormat', `format must be one of ${names.join(', ')}`);
}
