import { damagedDocument, megabytes, unconvertible } from './conversion-errors.ts';
import { limits } from './conversion-limits.ts';
import type { StoredFormat } from './detect-format.ts';
import { type ImageHeader, readImageHeader } from './image-headers.ts';

function excessOf(header: ImageHeader): string | undefined {
  if (header.pixels > limits.inputPixels) return `${limits.inputPixels / 1e6} megapixels on one page`;
  if (header.frames > limits.frames) return `${limits.frames} frames or pages`;
  if (header.scans > limits.jpegScans) return `${limits.jpegScans} scans of one picture`;
  if (header.profileBytes > limits.profileBytes) return `${megabytes(limits.profileBytes)} of colour profile`;
  if (header.metadataBytes > limits.metadataBytes) return `${megabytes(limits.metadataBytes)} of metadata`;
  return undefined;
}

/**
 * Checks an image before it is decoded. A time limit alone is not sufficient, because some codecs spend too much time
 * even on small frames.
 * @throws ClientError `unconvertible` if a limit is exceeded or the header is truncated
 */
export function inspectImage(file: Buffer, stored: StoredFormat): void {
  let excess: string | undefined;
  try {
    excess = excessOf(readImageHeader(file, stored));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw damagedDocument();
  }
  if (excess !== undefined) throw unconvertible(`the document has over ${excess}`);
}
