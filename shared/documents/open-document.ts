import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '../domain/documents/choose-document.ts';
import type { Format } from '../domain/documents/document-format.ts';
import { detectFormat, headBytes, isConvertible, type StoredFormat } from './plan-document.ts';

/**
 * Reads the first bytes of a stream without consuming them.
 * @returns the first `count` bytes or more, and the complete stream
 */
async function peek(body: Readable, count: number): Promise<{ head: Buffer; whole: Readable }> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < count) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  const stream = Readable.from(whole(), { objectMode: false });
  stream.once('close', () => body.destroy());
  return { head, whole: stream };
}

/** An open file. Callers must read the body to the end or destroy it. */
export interface DocumentFile {
  readonly key: string;
  readonly stored: StoredFormat;
  readonly etag: string;
  readonly bytes: number;
  readonly body: Readable;
}

// The maximum number of files that are checked for one document.
const maxFiles = 8;

/**
 * Opens the newest file in the requested format. If no file has this format, opens the first of these that exists: a
 * PDF, another file that can be converted, the newest file.
 * @returns undefined if the file was deleted after it was listed
 */
export async function openDocument(
  files: readonly [StoredFile, ...StoredFile[]],
  wanted: Format,
  documents: { open(file: StoredFile, range?: number): Promise<Omit<DocumentFile, 'key' | 'stored'> | undefined> },
): Promise<DocumentFile | undefined> {
  let best: StoredFile = files[0];
  if (files.length > 1) {
    const sniffed = files.slice(0, maxFiles).map(async (file) => {
      const opened = await documents.open(file, headBytes);
      return opened && { file, stored: detectFormat(await buffer(opened.body)) };
    });
    const all = (await Promise.all(sniffed)).filter((one) => one !== undefined);
    if (all.length < sniffed.length) return undefined;
    const found =
      all.find(({ stored }) => stored === wanted) ??
      all.find(({ stored }) => stored === 'pdf') ??
      all.find(({ stored }) => isConvertible(stored));
    best = found?.file ?? best;
  }
  const opened = await documents.open(best);
  if (opened === undefined) return undefined;
  const { etag, bytes, body } = opened;
  const { head, whole } = await peek(body, Math.min(headBytes, bytes));
  return { key: best.key, stored: detectFormat(head), etag, bytes, body: whole };
}
