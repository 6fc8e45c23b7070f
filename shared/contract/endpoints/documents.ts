import * as z from 'zod/mini';
import { mediaTypes } from '../../domain/documents/document-format.ts';
import { lineOfText } from '../../domain/text.ts';
import { defineJournaled } from '../journaled.ts';
import { uinInPath, wholeNumber } from '../parameters.ts';
import { bytes, empty } from '../reply.ts';

const tagged = {
  etag: z.string(),
  'cache-control': z.string(),
};

export const readDocument = defineJournaled({
  operation: 'readDocument',
  area: 'documents',
  method: 'GET',
  hasHead: true,
  path: '/v1/persons/{uin}/document',
  summary: 'Fetch a certificate in the format asked for',
  scopes: ['pr.document.read', 'cr.document.read'],
  request: {
    path: { uin: uinInPath },
    query: {
      doctype: lineOfText,
      format: lineOfText,
      secondaryUin: z.optional(lineOfText),
      page: z.optional(wholeNumber(1, 9999)),
    },
    headers: { accept: z.optional(z.string()), 'if-none-match': z.optional(z.string()) },
  },
  replies: {
    200: bytes([...mediaTypes, 'multipart/mixed'], {
      headers: {
        ...tagged,
        'content-type': z.string(),
        'content-disposition': z.exactOptional(z.string()),
      },
    }),
    304: empty({ headers: tagged }),
  },
  runsOn: {
    memoryMegabytes: 2048,
    // 20 for the conversion, the rest for 200 MB, the most that Lambda streams, at its 2 MB a second.
    timeoutSeconds: 180,
    // Each of the allocator's arenas keeps what it once had, and conversions use many threads.
    variables: { MALLOC_ARENA_MAX: '2' },
    packages: ['sharp', '@hyzyla/pdfium'],
    threads: ['shared/documents/conversion-process.ts', 'shared/documents/conversion-thread.ts'],
  },
  refuses: [
    'ambiguousDocument',
    'unknownPerson',
    'unknownDocument',
    'unsupportedFormat',
    'unconvertible',
    'conversionFailed',
  ],
  uses: ['persons:read', 'documents:read', 'documentLinks:read', 'renditions:write', 'journal:write'],
  reads: [],
  impact: 'Certificates cannot be fetched.',
});
