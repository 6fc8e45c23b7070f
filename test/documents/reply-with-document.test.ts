import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { openDocument } from '../../shared/documents/open-document.ts';
import { replyWithDocument } from '../../shared/documents/reply-with-document.ts';
import type { RenditionStore } from '../../shared/domain/documents/rendition.ts';
import { entityTag, isNoneMatch } from '../../shared/domain/entity-tag.ts';
import { clientErrorOf } from '../harness/client-error.ts';
import { textPdf } from '../harness/pdf-files.ts';

const noRenditions: RenditionStore = {
  get: () => Promise.reject(new Error('looked up')),
  put: () => Promise.reject(new Error('kept')),
  putFailure: () => Promise.reject(new Error('kept')),
};
const rendering = {
  renditions: noRenditions,
  converter: { convert: () => Promise.reject(new Error('converted')) },
  callbacks: { onConverted: () => {}, onNotStored: () => {} },
};
const stored = { key: 'k', uin: '1', doctype: 'birth', secondaryUin: undefined, etag: '"e"', bytes: 1, modifiedAt: 0 };

const megabyte = 1024 * 1024;

async function openedBest(...args: Parameters<typeof openDocument>) {
  const file = await openDocument(...args);
  if (file === undefined) throw new Error('it is gone');
  return file;
}

/**
 * Returns a 30 MB document that is generated while it is read, and a function that returns the number of bytes
 * generated so far.
 */
function largeDocument() {
  let produced = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    yield textPdf();
    for (let count = 0; count < 30 * 16; count += 1) {
      produced += megabyte / 16;
      yield Buffer.alloc(megabyte / 16, 'x');
    }
  }
  const open = async () => ({
    etag: '"e"',
    bytes: 30 * megabyte,
    body: Readable.from(chunks(), { objectMode: false }),
  });
  return { open, produced: () => produced };
}

describe.each([
  ['as it is', undefined],
  ['as part of a multipart response', 'multipart/mixed'],
])('a large document %s', (_how, accept) => {
  test('a large document is read only as fast as the caller reads the response, so memory use stays constant', async () => {
    const document = largeDocument();
    const file = await openedBest([stored], 'pdf', document);
    const request = { doctype: 'birth', format: 'pdf' as const, headers: { accept } };
    const { body } = await replyWithDocument(file, request, rendering);
    let taken = 0;
    for await (const chunk of body ?? []) {
      taken += chunk.length;
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      expect(document.produced() - taken).toBeLessThan(megabyte);
    }
    expect(taken).toBeGreaterThan(30 * megabyte);
  });

  test('a document is closed if the caller never reads the response', async () => {
    const file = await openedBest([stored], 'pdf', largeDocument());
    const request = { doctype: 'birth', format: 'pdf' as const, headers: { accept } };
    const { body } = await replyWithDocument(file, request, rendering);
    body?.destroy();
    await setImmediate();
    expect(file.body.destroyed).toBe(true);
  });

  test('a document is closed immediately if the caller already has the current version', async () => {
    const document = largeDocument();
    const request = { doctype: 'birth', format: 'pdf' as const };
    const first = await replyWithDocument(
      await openedBest([stored], 'pdf', document),
      { ...request, headers: { accept } },
      rendering,
    );
    first.body?.destroy();
    const file = await openedBest([stored], 'pdf', document);
    const headers = { accept, 'if-none-match': first.headers.etag };
    const second = await replyWithDocument(file, { ...request, headers }, rendering);
    expect([second.status, second.body, file.body.destroyed]).toEqual([304, undefined, true]);
    expect(document.produced()).toBeLessThan(megabyte);
  });
});

test('a document larger than 50 MB is neither read nor converted', async () => {
  const document = largeDocument();
  const open = async () => ({ ...(await document.open()), bytes: limits.inputBytes + 1 });
  const file = await openedBest([stored], 'png', { open });
  const answering = replyWithDocument(file, { doctype: 'birth', format: 'png', headers: {} }, rendering);
  expect((await clientErrorOf(() => answering)).message).toContain('exceeds 50 MB');
  expect([file.body.destroyed, document.produced() < megabyte]).toEqual([true, true]);
});

test('the entity tag is the same only if both the document and the request are the same', () => {
  const tags = [entityTag('a', 1), entityTag('a', 2), entityTag('a1'), entityTag('a', undefined), entityTag('a', 1)];
  expect(new Set(tags).size).toBe(4);
  expect(tags[0]).toMatch(/^"[\w-]{27}"$/);
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s matches the tag "a": %s', (header, isNamed) => {
  expect(isNoneMatch(header, '"a"')).toBe(isNamed);
});
