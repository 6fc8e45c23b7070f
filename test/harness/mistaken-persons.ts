import type { Mistake } from './mistakes.ts';

const eleven =
  'uin, firstName, lastName, spouseName, dateOfBirth, placeOfBirth, gender, dateOfDeath, placeOfDeath, reasonOfDeath, status';
const aDate = 'must be a calendar date written YYYY-MM-DD, such as 2024-02-29';
const gender = 'gender must be the number 0, 1, 2 or 9 (ISO 5218: not known, male, female, not applicable)';
const aMap = 'body must be a JSON object of attribute names and values, such as {"firstName":"Ada"}';
const notJson = 'the body must be JSON (RFC 8259), in UTF-8';
const notUtf8 = 'is not UTF-8, or contains the replacement character U+FFFD: encode it in UTF-8 (é is %C3%A9, not %E9)';
const latin1 = Buffer.from('{"firstName":"José"}', 'latin1');

/** Mistakes in requests about persons. */
export const mistakenPersons: readonly Mistake[] = [
  ['a date in another format', 'POST /v1/uin', '{"dateOfBirth":"29/02/2024"}', 400, `dateOfBirth ${aDate}`],
  ['a day that does not exist', 'POST /v1/uin', '{"dateOfBirth":"2023-02-29"}', 400, `dateOfBirth ${aDate}`],
  ['a date in another format, in a search', 'GET /v1/persons?dateOfBirth=29/02/2024', '', 400, `dateOfBirth ${aDate}`],
  ['gender as a letter', 'POST /v1/uin', '{"gender":"F"}', 400, gender],
  ['gender as text', 'POST /v1/uin', '{"gender":"2"}', 400, gender],
  ['gender as a word, in a search', 'GET /v1/persons?gender=female', '', 400, gender],
  [
    'an attribute name in lower case',
    'POST /v1/uin',
    '{"firstname":"Ada"}',
    400,
    `"firstname" is not an attribute of this registry: did you mean firstName? Known attributes: ${eleven}`,
  ],
  [
    'an attribute name with underscores',
    'GET /v1/persons?last_name=Sato',
    '',
    400,
    `"last_name" is not an attribute of this registry: did you mean lastName? Known attributes: ${eleven}`,
  ],
  [
    'an unknown attribute',
    'POST /v1/uin',
    '{"shoeSize":"38"}',
    400,
    `"shoeSize" is not an attribute of this registry. Known attributes: ${eleven}`,
  ],
  ['a given UIN', 'POST /v1/uin', '{"uin":"123"}', 400, 'uin is minted by the registry and cannot be given'],
  ['a list of persons', 'POST /v1/uin', '[{"firstName":"Ada"}]', 400, `${aMap}, not a list`],
  ['two first names', 'POST /v1/uin', '{"firstName":["Ada"]}', 400, 'firstName must be text'],
  [
    'only blank values',
    'POST /v1/uin',
    '{"firstName":" "}',
    400,
    'the body must contain at least one attribute that is neither blank nor null',
  ],
  ['no body', 'POST /v1/uin', '', 400, 'the body must not be empty'],
  ['a form', 'POST /v1/uin', 'firstName=Ada', 400, notJson],
  ['single quotes', 'POST /v1/uin', "{'firstName':'Ada'}", 400, `${notJson}; the error is in line 1, column 2`],
  ['a duplicate key', 'POST /v1/uin', '{"status":"a","status":"b"}', 400, 'the key "status" is repeated'],
  ['a body in Latin-1', 'POST /v1/uin', latin1, 400, 'the body must be text in UTF-8'],
  [
    'attributes in the query',
    'POST /v1/uin?firstName=Ada',
    '{"lastName":"Sato"}',
    400,
    '"firstName" is not a query parameter of this operation; it has: transactionId; everything else belongs in its JSON body',
  ],
  [
    'a search without attributes',
    'GET /v1/persons',
    '',
    400,
    'give at least one attribute to search by, such as lastName',
  ],
  ['a search for a blank value', 'GET /v1/persons?lastName=', '', 400, 'lastName must not be blank'],
  [
    'two values for one attribute in a search',
    'GET /v1/persons?lastName=a&lastName=b',
    '',
    400,
    '"lastName" must be given once in the query',
  ],
  ['a query in Latin-1', 'GET /v1/persons?lastName=Jos%E9', '', 400, `"lastName" in the query ${notUtf8}`],
  [
    'a page that is too large',
    'GET /v1/persons?lastName=a&limit=5000',
    '',
    400,
    'limit in the query must be a number from 1 to 1000',
  ],
  ['no attributes to read', 'GET /v1/persons/{uin}', '', 400, 'attributeNames is required in the query'],
  [
    'an unknown parameter',
    'GET /v1/persons/{uin}?attributes=status',
    '',
    400,
    '"attributes" is not a query parameter of this operation; it has: attributeNames',
  ],
  [
    'an empty attribute name to read',
    'GET /v1/persons/{uin}?attributeNames=',
    '',
    400,
    'attributeNames.0 in the query must not be blank',
  ],
  [
    'a mistyped UIN',
    'GET /v1/persons/100000000001?attributeNames=status',
    '',
    404,
    'no person has the uin in the path: check for a mistyped digit, because the check digit (ISO/IEC 7064) is wrong',
  ],
  ['a list to match', 'POST /v1/persons/{uin}/match', '[]', 400, `${aMap}, not a list`],
  [
    'an object instead of a list',
    'POST /v1/persons/{uin}/verify',
    '{"attributeName":"gender","operator":"=","value":1}',
    400,
    'body must be a list of expressions, such as [{"attributeName":"gender","operator":"=","value":1}]: put the object into a list',
  ],
  [
    'an unknown operator',
    'POST /v1/persons/{uin}/verify',
    '[{"attributeName":"gender","operator":"==","value":1}]',
    400,
    'body.0.operator must be one of < > = >= <=',
  ],
  [
    'no operator',
    'POST /v1/persons/{uin}/verify',
    '[{"attributeName":"gender","value":1}]',
    400,
    'body.0.operator is missing: it must be one of < > = >= <=',
  ],
  [
    'no value',
    'POST /v1/persons/{uin}/verify',
    '[{"attributeName":"gender","operator":"="}]',
    400,
    'body.0.value is missing: it must be text, an integer or a boolean',
  ],
  [
    'an expression with an unknown attribute',
    'POST /v1/persons/{uin}/verify',
    '[{"attributeName":"Gender","operator":"=","value":1}]',
    400,
    `"Gender" is not an attribute of this registry: did you mean gender? Known attributes: ${eleven}`,
  ],
  [
    'an unknown format',
    'GET /v1/persons/{uin}/document?doctype=birth&format=docx',
    '',
    415,
    'format must be one of pdf, jpeg, png, tiff, webp',
  ],
  ['no format', 'GET /v1/persons/{uin}/document?doctype=birth', '', 400, 'format is required in the query'],
];
