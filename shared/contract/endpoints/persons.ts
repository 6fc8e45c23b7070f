import * as z from 'zod/mini';
import { attributeAnswers, attributeMap } from '../../domain/persons/attributes.ts';
import { expressions, matchingError } from '../../domain/persons/expression.ts';
import { lineOfText } from '../../domain/text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { defineJournaled } from '../journaled.ts';
import { idempotencyKey, paging, textOrEmpty, uinInPath, wholeNumber } from '../parameters.ts';
import { json } from '../reply.ts';

export const generateUin = defineEndpoint({
  operation: 'generateUin',
  area: 'persons',
  method: 'POST',
  path: '/v1/uin',
  summary: 'Mint a UIN and register the person under it',
  scopes: ['uin.generate'],
  request: {
    query: { transactionId: textOrEmpty(lineOfText) },
    headers: { 'idempotency-key': idempotencyKey },
    body: { json: attributeMap },
  },
  replies: { 200: json(z.string()) },
  refuses: ['invalidAttribute', 'unknownAttribute'],
  hasReserve: true,
  uses: ['persons:mint'],
  reads: ['uinLength', 'extraAttributes'],
  impact: 'Births cannot be registered: no UIN is minted.',
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

export const findPersons = defineJournaled({
  operation: 'findPersons',
  area: 'persons',
  method: 'GET',
  path: '/v1/persons',
  summary: 'Find persons by attributes, one query parameter per attribute: their UINs or, with names, those attributes',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: {
    query: { names: z.optional(attributeNames), limit: paging.limit, offset: z.optional(wholeNumber(0, 999_999)) },
    repeatable: ['names'],
    hasAttributes: true,
  },
  replies: { 200: json(z.union([z.array(z.string()), z.array(attributeAnswers)])) },
  refuses: ['answerTooLarge', 'tooManyMatches', 'invalidAttribute', 'unknownAttribute'],
  uses: ['persons:find', 'persons:readMany', 'journal:writeMany'],
  reads: ['extraAttributes'],
  impact: 'Persons cannot be found by their attributes; civil registries stop registering.',
});

export const readPerson = defineJournaled({
  operation: 'readPerson',
  area: 'persons',
  method: 'GET',
  path: '/v1/persons/{uin}',
  summary: 'Read attributes of a person',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: { path: { uin: uinInPath }, query: { attributeNames }, repeatable: ['attributeNames'] },
  replies: { 200: json(attributeAnswers) },
  refuses: ['unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Attributes of persons cannot be read.',
});

export const matchPerson = defineJournaled({
  operation: 'matchPerson',
  area: 'persons',
  method: 'POST',
  path: '/v1/persons/{uin}/match',
  summary: 'Check attribute values without reading them',
  scopes: ['pr.person.match', 'cr.person.match'],
  request: { path: { uin: uinInPath }, body: { json: attributeMap } },
  replies: { 200: json(z.array(matchingError)) },
  refuses: ['invalidAttribute', 'unknownAttribute', 'unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Attribute values cannot be checked.',
});

export const verifyPerson = defineJournaled({
  operation: 'verifyPerson',
  area: 'persons',
  method: 'POST',
  path: '/v1/persons/{uin}/verify',
  summary: 'Evaluate expressions on attributes without reading them',
  scopes: ['pr.person.verify', 'cr.person.verify'],
  request: { path: { uin: uinInPath }, body: { json: expressions } },
  replies: { 200: json(z.boolean()) },
  refuses: ['unknownAttribute', 'unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Expressions such as "is of age" cannot be verified.',
});
