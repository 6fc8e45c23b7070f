import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReplyOf } from '../contract/endpoint.ts';
import type { readDocument } from '../contract/endpoints/documents-endpoints.ts';
import { ClientError } from '../domain/client-errors.ts';
import { documentFormats, type Format } from '../domain/documents/document-format.ts';
import { type Rendition, type RenditionStore, type Source, sourceAddress } from '../domain/documents/rendition.ts';
import { entityTag, isNoneMatch } from '../domain/entity-tag.ts';
import { foldText } from '../domain/fold-text.ts';
import { conversionVersion, limits, megabytes, unconvertible } from './conversion-limits.ts';
import type { Converter } from './converter.ts';
import { prefersMultipart, writeMultipart } from './multipart.ts';
import type { DocumentFile } from './open-document.ts';
import { type Conversion, planDocument } from './plan-document.ts';

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

function renditionAddress(source: Source, { write, page }: Conversion): string {
  const single = page === undefined ? '' : `-p${page}`;
  return `${sourceAddress(source)}/${write}-${limits.renderDpi}dpi-q${limits.jpegQuality}-v${conversionVersion}${single}`;
}

interface Rendering {
  readonly renditions: RenditionStore;
  readonly converter: Pick<Converter, 'convert'>;
  onConverted(milliseconds: number): void;
  /** Receives storage errors, which do not make the request fail. */
  onNotStored(error: unknown): void;
}

/**
 * Returns a stored rendition, or converts the document and stores the result. Also stores failures that the file
 * caused.
 */
export async function renderOnce(
  bytes: Uint8Array,
  source: Source,
  conversion: Conversion,
  { renditions, converter, onConverted, onNotStored }: Rendering,
): Promise<Rendition> {
  const address = renditionAddress(source, conversion);
  const known = await renditions.get(address);
  if (known !== undefined && 'refusal' in known) throw new ClientError(known.refusal, known.message);
  if (known !== undefined) return known.parts;
  const began = Date.now();
  try {
    const parts = await converter.convert(bytes, conversion);
    await renditions.put(address, parts, documentFormats[conversion.write].extension).catch(onNotStored);
    return parts;
  } catch (error) {
    // The file itself caused the error. A lack of time or memory may have another cause.
    if (error instanceof ClientError && error.errorName === 'unconvertible') {
      const { errorName: refusal, message } = error;
      await renditions.putFailure(address, { refusal, message }).catch(onNotStored);
    }
    throw error;
  } finally {
    onConverted(Date.now() - began);
  }
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
  const etag = entityTag(file.etag, request.doctype, format, page, inParts, conversionVersion);
  const common = { etag, 'cache-control': 'private, no-store' };
  try {
    const plan = planDocument(file.stored, format, page);
    if (isNoneMatch(headers['if-none-match'] ?? '', etag)) {
      file.body.destroy();
      return { status: 304, headers: common };
    }
    const files =
      plan === undefined
        ? [{ bytes: file.bytes, body: file.body }]
        : (await convert(file, plan, rendering)).map((made) => ({ bytes: made.length, body: Readable.from([made]) }));
    const parts = files.map((made, index) => ({
      ...made,
      mediaType,
      fileName: fileName(request, files.length > 1 ? index + 1 : page),
    }));
    const [first] = parts;
    if (first !== undefined && parts.length === 1 && !inParts) {
      const own = { 'content-type': mediaType, 'content-disposition': `inline; filename="${first.fileName}"` };
      return { status: 200, headers: { ...common, ...own }, body: first.body };
    }
    // Repeated replies need the same boundary, because a strong entity tag promises identical bytes.
    const boundary = `document-${etag.slice(1, -1)}`;
    const own = { 'content-type': `multipart/mixed; boundary="${boundary}"` };
    return { status: 200, headers: { ...common, ...own }, body: writeMultipart(parts, boundary) };
  } catch (error) {
    file.body.destroy();
    throw error;
  }
}
