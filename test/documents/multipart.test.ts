import { expect, test } from 'vitest';
import { prefersMultipart } from '../../shared/documents/multipart.ts';

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['anything', '*/*'],
  [
    'every type that a generated client lists',
    'application/pdf, image/jpeg, image/png, multipart/mixed, application/json',
  ],
  ['everything but multipart', 'multipart/mixed;q=0'],
  ['anything but multipart', '*/*, multipart/mixed;q=0.0'],
  ['multipart with a lower weight', 'image/jpeg, multipart/mixed;q=0.9'],
  ['multipart with a lower weight than images', 'image/*;q=0.8, multipart/mixed;q=0.5'],
  ['another multipart type', 'multipart/related, */*;q=0.1'],
  ['a type whose parameter contains multipart/mixed', 'text/plain;note="multipart/mixed"'],
  ['an invalid header', ';;,/,q=1'],
])('a caller that accepts %s receives a single file: %s', (_what, accept) => {
  expect(prefersMultipart(accept, 'image/jpeg')).toBe(false);
});

test.each([
  ['parts', 'multipart/mixed'],
  ['multipart in capitals', 'Multipart/Mixed'],
  ['multipart with a weight', 'multipart/mixed;q=0.3'],
  ['multipart over JSON', 'application/json;q=0.1, multipart/mixed'],
  ['multipart and JSON, like OSIA clients', 'application/json, multipart/mixed'],
  ['multipart with a higher weight than the file type', 'image/jpeg;q=0.5, multipart/mixed'],
  ['multipart explicitly, and any other type with a lower weight', 'multipart/mixed, */*;q=0.8'],
  ['multipart, but not the file type', '*/*, image/jpeg;q=0'],
])('a caller that accepts %s receives a multipart response: %s', (_what, accept) => {
  expect(prefersMultipart(accept, 'image/jpeg')).toBe(true);
});
