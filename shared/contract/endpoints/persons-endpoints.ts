import * as z from 'zod/mini';
import { attributeMap, attributeResults, foundPerson } from '../../domain/persons/attributes.ts';
import { expressions, matchingError } from '../../domain/persons/expression.ts';
import { lineOfText } from '../../domain/text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { defineJournaled } from '../journaled.ts';
import { idempotencyKey, paging, personUin, textOrEmpty, wholeNumber } from '../parameters.ts';
import { json } from '../schemas.ts';

const uin = '194837260511';

export const generateUin = defineEndpoint({
  operation: 'generateUin',
  osiaId: 'generateUIN',
  method: 'POST',
  path: '/v1/uin',
  summary: 'Mint a UIN and register a person',
  description:
    'Registers a person under a new UIN, which contains no personal data. ' +
    'Within 24 hours, a request with the same `Idempotency-Key` and attributes returns the same UIN.',
  scopes: ['uin.generate'],
  request: {
    query: {
      transactionId: {
        schema: textOrEmpty(lineOfText),
        description:
          'Works like `Idempotency-Key`: within 24 hours, the same value with the same attributes returns the same UIN.',
        example: 'b7f0c1d2',
      },
    },
    headers: { 'idempotency-key': idempotencyKey },
    body: {
      json: attributeMap,
      example: {
        firstName: 'Inés',
        lastName: 'García Müller',
        dateOfBirth: '2024-02-29',
        placeOfBirth: 'Málaga',
        gender: 2,
      },
    },
  },
  replies: { 200: json(z.string(), { description: 'The new UIN.', example: uin }) },
  errors: ['invalidAttribute', 'unknownAttribute'],
  hasReserve: true,
  uses: ['persons:mint', 'naming:read'],
  reads: ['uinLength', 'extraAttributes'],
  impact: 'Births cannot be registered, because no UIN can be minted.',
});

// `attributeNames=a&attributeNames=b` and `attributeNames=a,b` have the same meaning. Repeated names count once.
const attributeNames = z.pipe(
  z.pipe(
    z.array(z.string()),
    z.transform((values: string[]) => values.flatMap((value) => value.split(','))),
  ),
  z.array(lineOfText).check(
    z.overwrite((names) => [...new Set(names)]),
    z.maxLength(100, { error: 'must contain at most 100 attribute names' }),
  ),
);

const documentedNames = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', minLength: 1, maxLength: 256 },
};

export const findPersons = defineJournaled({
  operation: 'findPersons',
  osiaId: 'queryPersonList',
  method: 'GET',
  path: '/v1/persons',
  summary: 'Find persons by their attributes',
  description:
    'Each attribute is a query parameter. Returns the UINs of all persons who match every attribute, in ascending order. ' +
    'Returns an empty list if no person matches. Text comparisons ignore case, accents and whitespace.',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: {
    query: {
      names: {
        schema: z.optional(attributeNames),
        description:
          'Return the named attributes of each person instead of the UINs. Repeat the parameter, or separate the names with commas.',
        example: ['firstName', 'dateOfBirth'],
        documentedSchema: documentedNames,
      },
      limit: {
        schema: paging.limit.schema,
        description:
          'The maximum number of persons to return; at most 100 with `names`. ' +
          'By default, the response contains all matches. If too many persons match, an error with status 400 is returned.',
        example: 100,
      },
      offset: {
        schema: z.optional(wholeNumber(0, 999)),
        description:
          'The number of persons to skip, in ascending order of UIN. The sum of `offset` and `limit` is at most 1000.',
        example: 0,
      },
    },
    repeatable: ['names'],
    hasAttributes: true,
  },
  replies: {
    200: json(z.array(foundPerson), {
      description: 'The UINs of the persons or, if `names` is given, the requested attributes of each person.',
      example: [uin],
    }),
  },
  errors: ['answerTooLarge', 'tooManyMatches', 'tooManyResults', 'invalidAttribute', 'unknownAttribute'],
  uses: ['persons:find', 'persons:readMany', 'journal:writeMany', 'limits:countSearchRows'],
  reads: ['extraAttributes', 'searchRowsPerMinute'],
  impact: 'Persons cannot be found by their attributes, so registrations in civil registries stop.',
});

export const readPerson = defineJournaled({
  operation: 'readPerson',
  osiaId: 'readPersonAttributes',
  method: 'GET',
  path: '/v1/persons/{uin}',
  summary: 'Read attributes of a person',
  description:
    'Returns the requested attributes. For an attribute that the person lacks, the value is an Error object with code 1023.',
  scopes: ['pr.person.read', 'cr.person.read'],
  request: {
    path: { uin: personUin },
    query: {
      attributeNames: {
        schema: attributeNames,
        description: 'The attributes to read, at most 100. Repeat the parameter, or separate the names with commas.',
        example: ['firstName', 'dateOfBirth'],
        documentedSchema: documentedNames,
      },
    },
    repeatable: ['attributeNames'],
  },
  replies: {
    200: json(attributeResults, {
      description: 'The attributes by name.',
      example: { firstName: 'Inés', status: { code: 1023, message: 'this person has no status' } },
    }),
  },
  errors: ['unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Attributes of persons cannot be read.',
});

export const matchPerson = defineJournaled({
  operation: 'matchPerson',
  osiaId: 'matchPersonAttributes',
  method: 'POST',
  path: '/v1/persons/{uin}/match',
  summary: 'Check attribute values without reading the stored values',
  description: 'Compares attribute values exactly and returns the attributes that differ.',
  scopes: ['pr.person.match', 'cr.person.match'],
  request: {
    path: { uin: personUin },
    body: { json: attributeMap, example: { firstName: 'Inés', lastName: 'Garcia' } },
  },
  replies: {
    200: json(z.array(matchingError), {
      description: 'The attributes that differ. The list is empty if all attributes match.',
      example: [{ attributeName: 'lastName', errorCode: 1 }],
    }),
  },
  errors: ['invalidAttribute', 'unknownAttribute', 'unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Attribute values cannot be checked.',
});

export const verifyPerson = defineJournaled({
  operation: 'verifyPerson',
  osiaId: 'verifyPersonAttributes',
  method: 'POST',
  path: '/v1/persons/{uin}/verify',
  summary: 'Evaluate expressions on attributes without reading the values',
  description: 'Returns whether all expressions are true. An expression is false if the person lacks the attribute.',
  scopes: ['pr.person.verify', 'cr.person.verify'],
  request: {
    path: { uin: personUin },
    body: { json: expressions, example: [{ attributeName: 'dateOfBirth', operator: '<=', value: '2008-11-20' }] },
  },
  replies: { 200: json(z.boolean(), { description: 'Whether all expressions are true.', example: true }) },
  errors: ['unknownAttribute', 'unknownPerson'],
  uses: ['persons:read', 'journal:write'],
  reads: ['extraAttributes'],
  impact: 'Expressions such as "is of age" cannot be verified.',
});
