import * as z from 'zod/mini';
import { mediaTypes } from '../../model/documents/document-format.ts';
import { lineOfText } from '../../model/text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { uinInPath } from '../parameters.ts';
import { bytes, empty } from '../reply.ts';

const pageNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}$/, { error: 'must be a page number from 1 on' })),
  z.transform(Number),
);

const tagged = {
  etag: z.string().check(z.describe('changes with the bytes; for If-None-Match')),
  'cache-control': z.string(),
};

export const readDocument = defineEndpoint({
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
      page: z.optional(pageNumber),
    },
    headers: { accept: z.optional(z.string()), 'if-none-match': z.optional(z.string()) },
  },
  replies: {
    200: bytes([...mediaTypes, 'multipart/mixed'], {
      headers: {
        ...tagged,
        'content-type': z.string(),
        'content-disposition': z.exactOptional(z.string().check(z.describe('where it is one file: its name'))),
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
  uses: ['persons:read', 'documents:read', 'renditions:write'],
  reads: [],
  impact: 'Certificates cannot be fetched.',
});
