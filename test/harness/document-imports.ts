import type { Context } from 'aws-lambda';
import { beforeAll } from 'vitest';
import { handler as linkDocuments } from '../../functions/documents/link-documents.ts';
import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import { aBucketEvent } from './bucket-event.ts';
import { merge, remove, useImports } from './import-harness.ts';
import { apiEvent, context, sqsEvent } from './lambda-events.ts';

export { merge, remove };

export const register = (uin: string) => ({ change: 'register', uin, attributes: { lastName: 'King' } });

/** Sets up imports, and documents about the imported persons. */
export function useDocumentImports() {
  const imports = useImports();
  const put = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await imports.put(key, `%PDF-1.4 ${key}`);
  };
  const tell = (...keys: readonly string[]) => linkDocuments(sqsEvent(aBucketEvent(...keys)), context);
  return {
    imports,
    apply: imports.apply,
    /** Stores documents. Each document contains the first bytes of a PDF file, followed by the key of the document. */
    put,
    /** Sends bucket events about documents. */
    tell,
    /** Stores documents and sends the bucket events about them. */
    async file(...keys: readonly string[]): Promise<void> {
      await put(...keys);
      await tell(...keys);
    },
  };
}

/** Sets up the function that reads documents. */
export function useDocumentReads() {
  let sent = Buffer.alloc(0);
  let handler: (event: unknown, context: Context) => Promise<unknown>;
  beforeAll(async () => {
    provideStreaming(async (bytes) => {
      sent = Buffer.concat([sent, bytes]);
    });
    ({ handler } = (await import('../../functions/documents/read-document.ts')) as never);
  });
  return async (uin: string, doctype: string, secondaryUin?: string) => {
    sent = Buffer.alloc(0);
    const query = new URLSearchParams({ doctype, format: 'pdf', ...(secondaryUin && { secondaryUin }) });
    await handler(apiEvent({ path: { uin }, query: String(query) }), context);
    const end = sent.indexOf(Buffer.alloc(8));
    const { statusCode } = JSON.parse(sent.subarray(0, end).toString());
    return { status: statusCode, body: sent.subarray(end + 8).toString() };
  };
}
