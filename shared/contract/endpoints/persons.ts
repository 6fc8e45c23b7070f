import * as z from 'zod/mini';
import { attributeMap } from '../../model/attributes.ts';
import { mediaTypes } from '../../model/document-format.ts';
import { errorObject } from '../../model/error.ts';
import { expression, matchingError } from '../../model/expression.ts';
import { lineOfText } from '../../model/text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { page, uinInPath } from '../parameters.ts';

const attributeValue = z.union([z.string(), z.number()]);

const offset = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/, { error: 'must be a number from 0 to 999999' })),
    z.transform((text) => Number(text)),
  ),
);

export const findPersons = defineEndpoint({
  operation: 'findPersons',
  area: 'persons',
  method: 'GET',
  path: '/v1/persons',
  summary: 'Find UINs by attributes, one query parameter per attribute',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: { query: { limit: page.limit, offset }, hasAttributes: true },
  replies: { 200: z.array(z.string()) },
  refuses: [400],
  uses: ['persons:find'],
  reads: ['extraAttributes'],
  impact: 'Persons cannot be found by their attributes; civil registries stop registering.',
  isBuilt: true,
});

// `attributeNames=a&attributeNames=b` and `attributeNames=a,b` mean the same; a name asked twice is asked once.
const attributeNames = z.pipe(
  z.pipe(
    z.array(z.string()),
    z.transform((values: string[]) => values.flatMap((value) => value.split(','))),
  ),
  z.pipe(
    z.array(lineOfText),
    z.pipe(
      z.transform((names: string[]) => [...new Set(names)]),
      z.array(z.string()).check(z.maxLength(100, { error: 'must name at most 100 attributes' })),
    ),
  ),
);

export const readPerson = defineEndpoint({
  operation: 'readPerson',
  area: 'persons',
  method: 'GET',
  path: '/v1/persons/{uin}',
  summary: 'Read attributes of a person',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: { path: { uin: uinInPath }, query: { attributeNames }, repeatable: ['attributeNames'] },
  replies: { 200: z.record(z.string(), z.union([attributeValue, errorObject])) },
  refuses: [400, 404],
  uses: ['persons:read'],
  reads: ['extraAttributes'],
  impact: 'Attributes of persons cannot be read.',
  isBuilt: true,
});

export const matchPerson = defineEndpoint({
  operation: 'matchPerson',
  area: 'persons',
  method: 'POST',
  path: '/v1/persons/{uin}/match',
  summary: 'Check attribute values without reading them',
  scopes: ['pr.person.match', 'cr.person.match'],
  request: { path: { uin: uinInPath }, body: { json: attributeMap } },
  replies: { 200: z.array(matchingError) },
  refuses: [400, 404, 413],
  uses: ['persons:read'],
  reads: ['extraAttributes'],
  impact: 'Attribute values cannot be checked.',
  isBuilt: true,
});

export const verifyPerson = defineEndpoint({
  operation: 'verifyPerson',
  area: 'persons',
  method: 'POST',
  path: '/v1/persons/{uin}/verify',
  summary: 'Evaluate expressions on attributes without reading them',
  scopes: ['pr.person.verify', 'cr.person.verify'],
  request: { path: { uin: uinInPath }, body: { json: z.array(expression) } },
  replies: { 200: z.boolean() },
  refuses: [400, 404, 413],
  uses: ['persons:read'],
  reads: ['extraAttributes'],
  impact: 'Expressions such as "is of age" cannot be verified.',
  isBuilt: true,
});

const pageNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}$/, { error: 'must be a page number from 1 on' })),
  z.transform(Number),
);

export const readDocument = defineEndpoint({
  operation: 'readDocument',
  area: 'persons',
  method: 'GET',
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
  replies: { 200: null, 304: null },
  streams: [...mediaTypes, 'multipart/mixed'],
  runsOn: {
    memoryMegabytes: 2048,
    timeoutSeconds: 29,
    // Each of the allocator's arenas keeps what it once had, and conversions use many threads.
    variables: { MALLOC_ARENA_MAX: '2' },
    packages: ['sharp', '@hyzyla/pdfium'],
    threads: ['shared/documents/pdf-worker.ts'],
  },
  refuses: [400, 404, 415],
  uses: ['persons:read', 'documents:read', 'renditions:write'],
  reads: [],
  impact: 'Certificates cannot be fetched.',
  isBuilt: true,
});
