import { randomUUID } from 'node:crypto';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { errorObject } from '../../shared/domain/error.ts';
import { openBucket } from './bucket.ts';
import type { World } from './world.ts';

interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

interface DocumentAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The files in the response: the parts of a multipart body, or a single file. */
  readonly parts: readonly Part[];
  /**
   * The Error object in the body.
   * @throws if the body is not an Error object
   */
  readonly error: { readonly code: number; readonly message: string };
}

/** Parses a `multipart/mixed` body (RFC 2046). Uses only the boundary. */
function readParts(bytes: Buffer, contentType: string): Part[] {
  const boundary = contentType.match(/^multipart\/mixed; *boundary="([^"]+)"$/)?.[1];
  if (boundary === undefined) return [{ headers: { 'content-type': contentType }, bytes }];
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  let at = bytes.indexOf(delimiter);
  for (;;) {
    const start = at + delimiter.length;
    if (bytes.subarray(start, start + 2).toString() === '--') return parts;
    at = bytes.indexOf(delimiter, start);
    if (at < 0) throw new Error('the multipart body has no end');
    const part = bytes.subarray(start + 2, at - 2);
    const end = part.indexOf('\r\n\r\n');
    const lines = part.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]);
    parts.push({ headers: Object.fromEntries(headers), bytes: part.subarray(end + 4) });
  }
}

/** Stores documents in the bucket of a running stack and requests them through the API. */
export function openDocuments({ outputs, call, token }: World) {
  const objects = openBucket(outputs.s3Endpoint, outputs.resources.buckets.documents ?? '');

  const ask = (uin: string, query: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> => {
    const address = `${outputs.baseUrl}/v1/persons/${encodeURIComponent(uin)}/document?${new URLSearchParams(query)}`;
    return fetch(address, { headers: { authorization: `Bearer ${token}`, ...headers } });
  };

  return {
    ask,
    /** Registers a new person and returns their UIN. */
    newPerson: async (): Promise<string> => (await call(generateUin, { body: { firstName: randomUUID() } })).json,
    /** Stores a file as other systems of the registry do, and returns its key. */
    async put(uin: string, place: string, Body: Uint8Array): Promise<string> {
      const Key = `documents/${uin}/${place}`;
      await objects.put(Key, Body);
      return Key;
    },
    putObject: objects.put,
    removeObject: objects.remove,
    keysBelow: objects.keysBelow,
    read: objects.read,
    async get(
      uin: string,
      query: Record<string, string>,
      headers: Record<string, string> = {},
    ): Promise<DocumentAnswer> {
      const response = await ask(uin, query, headers);
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        parts: readParts(bytes, response.headers.get('content-type') ?? ''),
        get error() {
          return errorObject.parse(JSON.parse(bytes.toString('utf8')));
        },
      };
    },
  };
}
