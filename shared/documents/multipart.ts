import { Readable } from 'node:stream';
import Negotiator from 'negotiator';

const multipart = 'multipart/mixed';

/**
 * Returns whether the caller prefers a multipart reply over a single file (RFC 9110, 12.5.1). If both media types have
 * the same weight, the more specific type wins; if both are equally specific, the first type wins.
 * @param accept the `Accept` header
 */
export const prefersMultipart = (accept: string | undefined, mediaType: string): boolean =>
  new Negotiator({ headers: { accept } }).mediaType([mediaType, multipart]) === multipart;

interface ReplyPart {
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly body: Readable;
}

async function* write(parts: readonly ReplyPart[], boundary: string): AsyncGenerator<Uint8Array> {
  for (const { mediaType, fileName, bytes, body } of parts) {
    const head = [
      `--${boundary}`,
      `Content-Type: ${mediaType}`,
      `Content-Length: ${bytes}`,
      `Content-Disposition: attachment; name="documents"; filename="${fileName}"`,
      '',
      '',
    ];
    yield Buffer.from(head.join('\r\n'));
    yield* body;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** Writes files as `multipart/mixed` (RFC 2046, 5.1). The boundary must not occur in the files. */
export function writeMultipart(parts: readonly ReplyPart[], boundary: string): Readable {
  const stream = Readable.from(write(parts, boundary));
  // Close the source streams if the caller stops reading.
  stream.once('close', () => {
    for (const { body } of parts) body.destroy();
  });
  return stream;
}
