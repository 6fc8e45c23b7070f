import { Readable } from 'node:stream';

/** One file of an answer. */
export interface AnswerPart {
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly body: Readable | Uint8Array;
}

async function* chunksOf(body: Readable | Uint8Array): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function* write(parts: readonly AnswerPart[], boundary: string): AsyncGenerator<Uint8Array> {
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
    yield* chunksOf(body);
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** One file as it is. */
export const writeSingle = ({ body }: AnswerPart): Readable =>
  body instanceof Uint8Array ? Readable.from([body]) : body;

/** Several files as `multipart/mixed` (RFC 2046, 5.1), in order. The boundary must not occur in them. */
export function writeMultipart(parts: readonly AnswerPart[], boundary: string): Readable {
  const stream = Readable.from(write(parts, boundary));
  // What nobody reads to its end, or begins to read, must not stay open.
  stream.once('close', () => {
    for (const { body } of parts) if (body instanceof Readable) body.destroy();
  });
  return stream;
}
