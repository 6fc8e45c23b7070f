import * as z from 'zod/mini';
import { documentFormats, type Format, mediaTypes } from '../../domain/documents/document-format.ts';
import { lineOfText } from '../../domain/text.ts';
import { defineJournaled } from '../journaled.ts';
import { cacheHeaders, ifNoneMatch, personUin, wholeNumber } from '../parameters.ts';
import { type ByteExamples, bytes, empty } from '../schemas.ts';

const files = (Object.keys(documentFormats) as Format[]).map((format): [string, ByteExamples] => [
  documentFormats[format].mediaType,
  { file: { summary: `A ${format} file`, value: `(the bytes of a ${format} file)` } },
]);

const pageHeaders = (page: number) =>
  [
    'Content-Type: image/png',
    'Content-Length: 48213',
    `Content-Disposition: attachment; name="documents"; filename="birth-${page}.png"`,
  ].join('\r\n');
const parts = [1, 2].map((page) => `--a4f1\r\n${pageHeaders(page)}\r\n\r\n(the bytes of a png file)\r\n`);
const pages: ByteExamples = { pages: { summary: 'Two pages as PNG', value: `${parts.join('')}--a4f1--\r\n` } };

export const readDocument = defineJournaled({
  operation: 'readDocument',
  method: 'GET',
  hasHead: true,
  path: '/v1/persons/{uin}/document',
  summary: 'Fetch a certificate in the requested format',
  description:
    'Returns the document in the requested format. If no file in this format is stored, a stored file is converted. ' +
    'JPEG, PNG and WebP files contain one page, so several pages are returned as `multipart/mixed` with one part per page. ' +
    '`Accept` may contain `multipart/mixed` and the media type of the format, with weights. Other values have no effect. ' +
    'If the caller prefers `multipart/mixed`, even a single file is returned as a part.',
  scopes: ['pr.document.read', 'cr.document.read'],
  request: {
    path: { uin: personUin },
    query: {
      doctype: {
        schema: lineOfText,
        description: 'The document type, as named by the registry.',
        example: 'birth',
      },
      format: {
        schema: lineOfText,
        description:
          'The name or the media type of the requested format. Documents stored in another format are converted.',
        example: 'pdf',
        // The schema also accepts aliases and upper-case names.
        documentedSchema: { type: 'string', enum: [...Object.keys(documentFormats), ...mediaTypes] },
      },
      secondaryUin: {
        schema: z.optional(lineOfText),
        description:
          'The UIN of the second person in the document, such as a spouse, or `-` for a document about one person only. ' +
          'Required if the person has several documents of the same type.',
        example: '203948571624',
      },
      page: {
        schema: z.optional(wholeNumber(1, 9999)),
        description: 'Return only this page. The first page is 1.',
        example: 1,
      },
    },
    headers: {
      accept: {
        schema: z.optional(z.string()),
        description: 'The media types that the caller prefers.',
        example: 'multipart/mixed',
      },
      'if-none-match': ifNoneMatch,
    },
  },
  replies: {
    200: bytes({ ...Object.fromEntries(files), 'multipart/mixed': pages }, 'The document.', {
      ...cacheHeaders,
      'content-type': z.string(),
      'content-disposition': z.exactOptional(z.string()),
    }),
    304: empty('The caller’s copy is current.', cacheHeaders),
  },
  runsOn: {
    memoryMegabytes: 2048,
    // A conversion takes up to 20 s. At 2 MB per second, the largest response that Lambda can stream (200 MB) takes 100
    // s.
    timeoutSeconds: 180,
    // Limits the number of malloc arenas, because conversions use many threads and each arena keeps its memory.
    variables: { MALLOC_ARENA_MAX: '2' },
    packages: ['sharp', '@hyzyla/pdfium'],
    threads: ['shared/documents/conversion-process.ts', 'shared/documents/conversion-thread.ts'],
  },
  errors: [
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
