import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '../domain/documents/choose-document.ts';
import type { Format } from '../domain/documents/document-format.ts';
import { detectFormat, headBytes, type StoredFormat } from './detect-format.ts';
import { peek } from './peek.ts';
import { planDocument } from './plan-document.ts';

/** A stored file that is being read. Whoever holds it reads the body to its end, or destroys it. */
export interface DocumentFile {
  /** Its name in the bucket. */
  readonly key: string;
  readonly stored: StoredFormat;
  readonly etag: string;
  readonly bytes: number;
  readonly body: Readable;
}

interface Opening {
  /** Undefined where the file is gone. */
  open(file: StoredFile, range?: number): Promise<{ etag: string; bytes: number; body: Readable } | undefined>;
}

// More files than this in one place are not formats of one document.
const mostFiles = 8;

/**
 * Opens the file that is already in the format asked for; else one that can be converted; else the newest.
 * @returns undefined where one of them is gone since they were listed
 */
export async function openBest(
  files: readonly [StoredFile, ...StoredFile[]],
  asked: Format,
  documents: Opening,
): Promise<DocumentFile | undefined> {
  let best: StoredFile = files[0];
  if (files.length > 1) {
    const sniffed = files.slice(0, mostFiles).map(async (file) => {
      const opened = await documents.open(file, headBytes);
      return opened && { file, stored: detectFormat(await buffer(opened.body)) };
    });
    const all = (await Promise.all(sniffed)).filter((one) => one !== undefined);
    if (all.length < sniffed.length) return undefined;
    const found =
      all.find(({ stored }) => stored === asked) ??
      all.find(({ stored }) => stored === 'pdf') ??
      all.find(({ stored }) => planDocument(stored, asked).is === 'conversion');
    best = found?.file ?? best;
  }
  const opened = await documents.open(best);
  if (opened === undefined) return undefined;
  const { etag, bytes, body } = opened;
  const { head, whole } = await peek(body, Math.min(headBytes, bytes));
  return { key: best.key, stored: detectFormat(head), etag, bytes, body: whole };
}
