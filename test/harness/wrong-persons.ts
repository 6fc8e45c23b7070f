/** An invalid attribute body: a description, the body, and text that the error must contain. */
type WrongPerson = readonly [what: string, body: string, names: string];

/** Invalid attribute values. The error must name the attribute. */
export const wrongAttributes: readonly WrongPerson[] = [
  ['uin: a number', '{"uin":7}', 'uin'],
  ['status: a lone surrogate', '{"status":"a\\ud800b"}', 'status'],
  ['dateOfBirth: another order', '{"dateOfBirth":"29/02/2024"}', 'dateOfBirth'],
  ['gender: a number that JSON cannot represent', '{"gender":1e400}', 'gender'],
  ['an invalid value after a valid value', '{"firstName":"Ada","gender":3}', 'gender'],
  ['a duplicate attribute', '{"firstName":"Ada","firstName":"Ida"}', 'firstName'],
  ['a duplicate attribute with the same value', '{"firstName":"Ada","firstName":"Ada"}', 'firstName'],
  ['a duplicate attribute with escapes in its name', '{"firstName":"Ada","first\\u004eame":"Ada"}', 'firstName'],
];

/** Names that are not attribute names. */
export const unknownNames = ['firstname', ' firstName', '', '__proto__', 'constructor', 'folded', 'lastNameKey'];

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
