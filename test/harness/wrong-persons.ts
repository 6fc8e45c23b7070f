/** An invalid attribute body: a description, the body, and text that the error must contain. */
type WrongPerson = readonly [what: string, body: string, names: string];

const texts = ['uin', 'firstName', 'lastName', 'spouseName', 'placeOfBirth', 'placeOfDeath', 'reasonOfDeath', 'status'];
const dates = ['dateOfBirth', 'dateOfDeath'];

const withText: readonly (readonly [what: string, json: string])[] = [
  ['a number', '7'],
  ['true', 'true'],
  ['an array', '["Ada"]'],
  ['an object', '{"en":"Ada"}'],
  ['257 characters', JSON.stringify('x'.repeat(257))],
  ['257 characters outside the Basic Multilingual Plane', JSON.stringify('👶'.repeat(257))],
  ['a lone surrogate', '"a\\ud800b"'],
  ['a lone low surrogate', '"\\udc00"'],
  ['a NUL', '"a\\u0000b"'],
  ['two lines', '"a\\nb"'],
];
const withDate: readonly (readonly [what: string, json: string])[] = [
  ['29 February of a common year', '"2023-02-29"'],
  ['29 February 1900', '"1900-02-29"'],
  ['a thirteenth month', '"2024-13-01"'],
  ['a day 0', '"2024-01-00"'],
  ['31 April', '"2024-04-31"'],
  ['a time', '"2024-02-29T00:00:00Z"'],
  ['no leading zeros', '"2024-2-29"'],
  ['another order', '"29/02/2024"'],
  ['a number', '20240229'],
  ['a sign', '"-2024-02-29"'],
];
const withGender = ['"1"', '3', '-1', '1.5', 'true', '"male"', '[1]', '1e400'];

const one = (name: string, json: string): string => `{"${name}":${json}}`;

/** Invalid attribute values. The error must name the attribute. */
export const wrongAttributes: readonly WrongPerson[] = [
  ...texts.flatMap((name) => withText.map(([what, json]): WrongPerson => [`${name}: ${what}`, one(name, json), name])),
  ...dates.flatMap((name) => withDate.map(([what, json]): WrongPerson => [`${name}: ${what}`, one(name, json), name])),
  ...withGender.map((json): WrongPerson => [`gender: ${json}`, one('gender', json), 'gender']),
  ['an invalid value after a valid value', '{"firstName":"Ada","gender":3}', 'gender'],
  ['a duplicate attribute', '{"firstName":"Ada","firstName":"Ida"}', 'firstName'],
  ['a duplicate attribute with the same value', '{"firstName":"Ada","firstName":"Ada"}', 'firstName'],
  ['a duplicate attribute with escapes in its name', '{"firstName":"Ada","first\\u004eame":"Ada"}', 'firstName'],
];

/** Names that are not attribute names. */
export const unknownNames = [
  'firstname',
  'FirstName',
  ' firstName',
  'first name',
  '',
  '__proto__',
  'constructor',
  'toString',
  'id',
  'folded',
  'lastNameKey',
  'attributes',
];

/** Bodies that are not JSON objects with attributes. */
export const wrongBodies: readonly WrongPerson[] = [
  ['nothing', '', 'body'],
  ['an empty object', '{}', 'body'],
  ['an array', '[{"firstName":"Ada"}]', 'not a list'],
  ['only blank values', '{"firstName":"","lastName":" ","gender":null}', 'neither blank nor null'],
  ['text', '"firstName"', 'body'],
  ['null', 'null', 'body'],
  ['no JSON', 'firstName=Ada', 'JSON'],
  ['truncated JSON', '{"firstName":"Ada"', 'JSON'],
  ['two values', '{"firstName":"Ada"}{}', 'JSON'],
  ['deeply nested JSON', `{"firstName":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, '32'],
  ['a deeply nested object', `${'{"firstName":'.repeat(40)}1${'}'.repeat(40)}`, '32'],
];

/** A body over the 64 KiB limit. */
export const hugeBody = JSON.stringify({ firstName: 'x'.repeat(64 * 1024) });

const expression = (more: object): string =>
  JSON.stringify([{ attributeName: 'firstName', operator: '=', value: 'Ada', ...more }]);

/** Bodies that contain no valid expressions. */
export const wrongExpressions: readonly WrongPerson[] = [
  ['nothing', '', 'body'],
  ['an object', '{"attributeName":"firstName","operator":"=","value":"Ada"}', 'body must be a list'],
  ['an array of text', '["firstName"]', 'body.0 must be an object with attributeName'],
  ['an unknown name', expression({ attributeName: 'firstname' }), '"firstname"'],
  ['a name that is not text', expression({ attributeName: 7 }), 'attributeName'],
  ['an unknown operator', expression({ operator: '!=' }), 'operator'],
  ['no operator', expression({ operator: undefined }), 'operator'],
  ['no value', expression({ value: undefined }), 'value'],
  ['null for a value', expression({ value: null }), 'value'],
  ['a fraction for a value', expression({ value: 1.5 }), 'value'],
  ['an array for a value', expression({ value: ['Ada'] }), 'value'],
  [
    'an unknown field',
    expression({ negate: true }),
    'body.0 must be an object with attributeName, operator and value, and nothing else',
  ],
  ['a duplicate key', '[{"attributeName":"firstName","operator":"=","value":"x","value":"Ada"}]', 'value'],
  ['__proto__', '[{"attributeName":"firstName","operator":"=","value":"x","__proto__":{}}]', 'and nothing else'],
];
