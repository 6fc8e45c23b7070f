import { Refusal } from '../model/refusals.ts';
import type { StoredFormat } from './detect-format.ts';
import { readGifHeader } from './headers/gif-header.ts';
import type { ImageHeader } from './headers/image-header.ts';
import { readJpegHeader } from './headers/jpeg-header.ts';
import { readPngHeader } from './headers/png-header.ts';
import { readTiffHeader } from './headers/tiff-header.ts';
import { readWebpHeader } from './headers/webp-header.ts';
import { limits } from './limits.ts';

const readers: Partial<Record<StoredFormat, (file: Buffer) => ImageHeader>> = {
  jpeg: readJpegHeader,
  png: readPngHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
  tiff: readTiffHeader,
};

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

/** What is over its limit, in the words of a refusal. */
function excessOf(header: ImageHeader): string | undefined {
  if (header.pixels > limits.inputPixels) return `${limits.inputPixels / 1e6} megapixels on one page`;
  if (header.frames > limits.frames) return `${limits.frames} frames or pages`;
  if (header.scans > limits.jpegScans) return `${limits.jpegScans} scans of one picture`;
  if (header.profileBytes > limits.profileBytes) return `${megabytes(limits.profileBytes)} of colour profile`;
  if (header.metadataBytes > limits.metadataBytes) return `${megabytes(limits.metadataBytes)} beside its pixels`;
  return undefined;
}

/**
 * Looks whether an image can be given to the codec: some codecs do so much with a few bytes of each frame that all the time
 * there is would be gone before anything could be asked.
 * @throws Refusal `unconvertible` with what is over its limit, or because the file ends within its own header
 */
export function inspectImage(file: Buffer, stored: StoredFormat): void {
  let excess: string | undefined;
  try {
    const header = readers[stored]?.(file);
    excess = header && excessOf(header);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal('unconvertible', 'the document cannot be converted: it is damaged');
  }
  if (excess !== undefined) throw new Refusal('unconvertible', `the document has over ${excess}`);
}
