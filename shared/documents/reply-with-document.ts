import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReplyOf } from '../contract/endpoint.ts';
import type { readDocument } from '../contract/endpoints/documents-endpoints.ts';
import { documentFormats, type Format } from '../domain/documents/document-format.ts';
import { entityTag, isNoneMatch } from '../domain/entity-tag.ts';
import { foldText } from '../domain/fold-text.ts';
import { megabytes, unconvertible } from './conversion-errors.ts';
import { conversionVersion, limits } from './conversion-limits.ts';
import { prefersMultipart, type ReplyPart, writeMultipart } from './multipart.ts';
import type { DocumentFile } from './open-document.ts';
import { type Conversion, planDocument } from './plan-document.ts';
import { type Rendering, renderOnce } from './render-once.ts';

interface DocumentRequest {
  readonly doctype: string;
  readonly format: Format;
  readonly page?: number | undefined;
  readonly headers: { readonly accept?: string | undefined; readonly 'if-none-match'?: string | undefined };
}

type DocumentReply = ReplyOf<typeof readDocument> & { readonly body?: Readable };

/** Returns the file name for a download. The name contains only letters, digits, hyphens and an extension. */
function fileName({ doctype, format }: DocumentRequest, number?: number): string {
  const stem =
    foldText(doctype)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'document';
  return `${stem}${number === undefined ? '' : `-${number}`}.${documentFormats[format].extension}`;
}

async function convert(file: DocumentFile, conversion: Conversion, rendering: Rendering) {
  if (file.bytes > limits.inputBytes) {
    const limit = megabytes(limits.inputBytes);
    throw unconvertible(`the document exceeds ${limit}: request the document in its stored format`);
  }
  return renderOnce(await buffer(file.body), file, conversion, rendering);
}

/**
 * Replies with a stored file in the requested format, unchanged or converted. The reply is `multipart/mixed` if it
 * contains several files or the caller prefers this type.
 * @throws ClientError `unconvertible`, `conversionFailed` or `invalidParameter`
 */
export async function replyWithDocument(
  file: DocumentFile,
  request: DocumentRequest,
  rendering: Rendering,
): Promise<DocumentReply> {
  const { format, page, headers } = request;
  const { mediaType } = documentFormats[format];
  const inParts = prefersMultipart(headers.accept, mediaType);
  const tag = entityTag(file.etag, request.doctype, format, page, inParts, conversionVersion);
  try {
    const plan = planDocument(file.stored, format, page);
    if (isNoneMatch(headers['if-none-match'] ?? '', tag)) {
      file.body.destroy();
      return { status: 304, headers: { etag: tag, 'cache-control': 'private, no-store' } };
    }
    const files =
      plan === undefined
        ? [{ bytes: file.bytes, body: file.body }]
        : (await convert(file, plan, rendering)).map((made) => ({ bytes: made.length, body: Readable.from([made]) }));
    const isMany = files.length > 1;
    const parts = files.map(
      (made, index): ReplyPart => ({
        ...made,
        mediaType,
        fileName: fileName(request, isMany ? index + 1 : page),
      }),
    );
    return replyOf(parts, tag, inParts);
  } catch (error) {
    file.body.destroy();
    throw error;
  }
}

function replyOf(parts: readonly ReplyPart[], tag: string, inParts: boolean): DocumentReply {
  const headers = { etag: tag, 'cache-control': 'private, no-store' };
  const [first] = parts;
  if (first !== undefined && parts.length === 1 && !inParts) {
    const disposition = `inline; filename="${first.fileName}"`;
    const own = { 'content-type': first.mediaType, 'content-disposition': disposition };
    return { status: 200, headers: { ...headers, ...own }, body: first.body };
  }
  // Repeated replies need the same boundary, because a strong entity tag promises identical bytes.
  const boundary = `document-${tag.slice(1, -1)}`;
  const own = { 'content-type': `multipart/mixed; boundary="${boundary}"` };
  return { status: 200, headers: { ...headers, ...own }, body: writeMultipart(parts, boundary) };
}
