import { expect, test } from 'vitest';
import { wantsParts } from '../../shared/documents/wants-parts.ts';

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['anything', '*/*'],
  ['every type of a generated client', 'application/pdf, image/jpeg, image/png, multipart/mixed, application/json'],
  ['parts never', 'multipart/mixed;q=0'],
  ['parts never, of anything', '*/*, multipart/mixed;q=0.0'],
  ['parts only where there is nothing else', 'image/jpeg, multipart/mixed;q=0.9'],
  ['parts less than images', 'image/*;q=0.8, multipart/mixed;q=0.5'],
  ['parts of another kind', 'multipart/related, */*;q=0.1'],
  ['a text that has the words', 'text/plain;note="multipart/mixed"'],
  ['no header that can be read', ';;,/,q=1'],
])('a caller who accepts %s gets the file: %s', (_what, accept) => {
  expect(wantsParts(accept, 'image/jpeg')).toBe(false);
});

test.each([
  ['parts', 'multipart/mixed'],
  ['parts, in capitals', 'Multipart/Mixed'],
  ['parts, with a weight', 'multipart/mixed;q=0.3'],
  ['parts rather than JSON', 'application/json;q=0.1, multipart/mixed'],
  ['parts and JSON, as clients of OSIA do', 'application/json, multipart/mixed'],
  ['parts rather than the file', 'image/jpeg;q=0.5, multipart/mixed'],
  ['parts by name, and anything', 'multipart/mixed, */*;q=0.8'],
  ['parts, and the file never', '*/*, image/jpeg;q=0'],
])('a caller who accepts %s gets parts: %s', (_what, accept) => {
  expect(wantsParts(accept, 'image/jpeg')).toBe(true);
});
