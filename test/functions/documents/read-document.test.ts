import { beforeEach, describe, expect, test } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import { register, useDocumentReads } from '../../harness/document-imports.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const imports = useImports();
const { interfere, lines } = imports;

const read = useDocumentReads();

const [ofOne, ofTwo] = ['documents/D-1/birth/-/a.pdf', 'documents/D-1/marriage/S-1/a.pdf'];

beforeEach(async () => {
  for (const key of await imports.keys('documents/')) await imports.remove(key);
  await imports.import('imports/people.ndjson', ndjson(...['D-1', 'K-1', 'S-1'].map(register)));
  for (const key of [ofOne, ofTwo]) await imports.put(key, `%PDF-1.4 ${key}`);
  await linkDocuments(sqsEvent(aBucketEvent(ofOne, ofTwo)), context);
});

/** Returns the UINs in the access journal. */
const journaled = async () => (await imports.rows('journal')).map(({ uin }) => uin).toSorted();

/** In each attempt, runs the next callback after the bucket is listed and before the file is opened. */
function meanwhile(...happenings: (() => Promise<unknown>)[]): void {
  interfere({
    async call({ command }, go) {
      if (command !== 'GetObject') return go();
      interfere({});
      const [happening, ...later] = happenings;
      await happening?.();
      if (later.length > 0) meanwhile(...later);
      return go();
    },
  });
}

const refuse = () => Promise.reject(Object.assign(new Error('Access Denied'), { name: 'AccessDenied' }));

test('reading a document lists and opens the document only once', async () => {
  const asked = imports.recordCalls();
  expect(await read('D-1', 'birth')).toEqual({ status: 200, body: `%PDF-1.4 ${ofOne}` });
  expect(asked.toSorted()).toEqual(['GetItem', 'GetObject', 'ListObjectsV2', 'PutItem', 'Query']);
});

describe('a document that disappears between listing and opening', () => {
  test.each([
    ['because of a deletion', () => imports.remove(ofOne)],
    // S3 returns this error for a missing object if the caller may not list the whole bucket.
    ['with the response "access denied"', () => imports.remove(ofOne).then(refuse)],
  ])('a request returns 404 if the document disappears %s, and the request is journaled', async (_how, happening) => {
    meanwhile(happening);
    const { status, body } = await read('D-1', 'birth');
    expect([status, JSON.parse(body)]).toEqual([404, { code: 1043, message: 'the person has no such document' }]);
    expect(await journaled()).toEqual(['D-1']);
    expect(lines.error).toEqual([]);
  });

  test('if a document is replaced by a new file in the same folder, the response contains the new file', async () => {
    meanwhile(() => imports.remove(ofTwo).then(() => imports.put(ofTwo.replace('a.pdf', 'b.pdf'), '%PDF-1.4 b')));
    expect(await read('S-1', 'marriage')).toEqual({ status: 200, body: '%PDF-1.4 b' });
    expect(await journaled()).toEqual(['D-1', 'S-1']);
  });

  test('if one of two files in a folder is deleted, the response contains the other file', async () => {
    const newer = ofOne.replace('a.pdf', 'b.pdf');
    await imports.put(newer, '%PDF-1.4 b');
    meanwhile(() => imports.remove(newer));
    expect(await read('D-1', 'birth')).toEqual({ status: 200, body: `%PDF-1.4 ${ofOne}` });
  });

  test('a request returns 404 if the document disappears twice during the request', async () => {
    const another = ofOne.replace('a.pdf', 'b.pdf');
    meanwhile(
      () => imports.remove(ofOne).then(() => imports.put(another, '%PDF-1.4 b')),
      () => imports.remove(another).then(() => imports.put(ofOne, '%PDF-1.4 c')),
    );
    expect((await read('D-1', 'birth')).status).toBe(404);
    expect(lines.error).toEqual([]);
  });
});

test('a request returns an internal error if the document exists but cannot be read', async () => {
  meanwhile(refuse);
  expect((await read('D-1', 'birth')).status).toBe(500);
  expect(lines.error.join()).toContain('AccessDenied');
});
