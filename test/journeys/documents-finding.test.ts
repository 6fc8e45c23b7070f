import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments } from '../harness/document-files.ts';
import { eventually } from '../harness/eventually.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { textPdf } from '../harness/pdf-files.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const documents = openDocuments(world);
leavesNoErrors(world);

const { jpeg, png, webp } = await makeDocuments();
const pdf = textPdf();

describe('a document about one person', () => {
  test.each(['birth', 'BIRTH', ' Birth  Certificate ', 'birth_certificate', 'Bírth'])(
    'a document is found by the document type "%s"',
    async (doctype) => {
      const uin = await documents.newPerson();
      await documents.put(uin, 'Birth/-/certificate.pdf', pdf);
      const { status, bytes } = await documents.get(uin, { doctype, format: 'pdf' });
      expect([status, bytes.equals(pdf)]).toEqual([200, true]);
    },
  );

  test.each(['pdf', 'PDF', 'application/pdf', 'Application/PDF'])(
    'a document is returned for the format "%s"',
    async (format) => {
      const uin = await documents.newPerson();
      await documents.put(uin, 'birth/-/certificate', pdf);
      expect((await documents.get(uin, { doctype: 'birth', format })).bytes.equals(pdf)).toBe(true);
    },
  );

  test.each([
    ['jpg', 'image/jpeg'],
    ['tif', 'image/tiff'],
    ['image/webp', 'image/webp'],
  ])('a document is returned for the format %s with the media type %s', async (format, mediaType) => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', jpeg);
    const { headers } = await documents.get(uin, { doctype: 'birth', format });
    expect(headers.get('content-type')).toBe(mediaType);
  });

  test('a document’s bytes determine its type, regardless of its name', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate.pdf', jpeg);
    expect((await documents.get(uin, { doctype: 'birth', format: 'jpeg' })).bytes.equals(jpeg)).toBe(true);
  });

  test('a document that is stored in several formats is returned in the requested format', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate.pdf', pdf);
    await documents.put(uin, 'birth/-/certificate.jpg', jpeg);
    for (const [format, file] of [
      ['pdf', pdf],
      ['jpeg', jpeg],
    ] as const) {
      expect((await documents.get(uin, { doctype: 'birth', format })).bytes.equals(file)).toBe(true);
    }
  });

  test('a document has headers that prevent caching and content sniffing', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', pdf);
    const { headers } = await documents.get(uin, { doctype: 'birth', format: 'pdf' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="birth.pdf"',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });
});

describe('a document about two persons', () => {
  test('a document about two persons is found with the UIN of either person', async () => {
    const [first, second] = await Promise.all([documents.newPerson(), documents.newPerson()]);
    await documents.put(first, `marriage/${second}/deed.pdf`, pdf);
    for (const [uin, secondaryUin] of [
      [first, second],
      [second, first],
    ] as const) {
      const answer = await documents.get(uin, { doctype: 'marriage', format: 'pdf', secondaryUin });
      expect([answer.status, answer.bytes.equals(pdf)]).toEqual([200, true]);
    }
  });

  test('a request for a document about two persons requires secondaryUin only if several documents match', async () => {
    const [uin, before, after] = await Promise.all([1, 2, 3].map(() => documents.newPerson()));
    const person = uin ?? '';
    await documents.put(person, `marriage/${before}/deed`, png);
    const query = { doctype: 'marriage', format: 'png' };
    expect((await documents.get(person, query)).bytes.equals(png)).toBe(true);
    await documents.put(person, `marriage/${after}/deed`, webp);
    const { status, error } = await documents.get(person, query);
    expect([status, error]).toEqual([400, { code: 1012, message: expect.stringContaining('secondaryUin') }]);
    expect(error.message).not.toContain(before);
    const later = await documents.get(person, { doctype: 'marriage', format: 'webp', secondaryUin: after ?? '' });
    expect(later.bytes.equals(webp)).toBe(true);
  });

  test('a document about two persons is not returned for a third person', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => documents.newPerson()));
    await documents.put(first ?? '', `marriage/${second}/deed`, pdf);
    for (const [uin, secondaryUin] of [
      [first, third],
      [third, second],
      [third, first],
    ]) {
      const query = { doctype: 'marriage', format: 'pdf', secondaryUin: secondaryUin ?? '' };
      const { status, error } = await documents.get(uin ?? '', query);
      expect([status, error.code]).toEqual([404, 1043]);
    }
  });
});

describe('a document about two persons that is stored under the other person', () => {
  const ask = (uin: string, more: Record<string, string> = {}) =>
    documents.get(uin, { doctype: 'marriage', format: 'pdf', ...more });
  /** Waits for this response status, which changes when S3 reports a write or a delete. */
  const becomes = (uin: string, status: number, more: Record<string, string> = {}) =>
    eventually(async () => {
      const answer = await ask(uin, more);
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`);
      return answer;
    });
  const newPersons = () => Promise.all([documents.newPerson(), documents.newPerson(), documents.newPerson()]);

  test.each(['deed.pdf', 'the deed + copy.pdf', 'Urkunde Köln 100%.pdf', '婚姻届.pdf'])(
    'a document under the other person is found by either UIN, with and without secondaryUin: %s',
    async (name) => {
      const [first, second] = await newPersons();
      await documents.put(first, `Marriage_Certificate/${second}/${name}`, pdf);
      for (const [uin, secondaryUin] of [
        [first, second],
        [second, first],
      ] as const) {
        expect((await becomes(uin, 200)).bytes.equals(pdf)).toBe(true);
        expect((await ask(uin, { secondaryUin })).bytes.equals(pdf)).toBe(true);
      }
    },
  );

  test('a request returns 400 without secondaryUin if the person has another document of this type', async () => {
    const [first, second, third] = await newPersons();
    await documents.put(first, `marriage/${second}/deed.pdf`, pdf);
    await documents.put(third, `marriage/${first}/deed.pdf`, textPdf(2));
    const { error } = await becomes(first, 400);
    expect(error).toEqual({ code: 1012, message: expect.stringContaining('use secondaryUin to select one') });
    for (const uin of [second, third]) expect(error.message).not.toContain(uin);
    expect((await ask(first, { secondaryUin: second })).bytes.equals(pdf)).toBe(true);
    expect((await ask(first, { secondaryUin: third })).bytes.equals(textPdf(2))).toBe(true);
    // The second and the third person have only one document each.
    expect((await becomes(second, 200)).bytes.equals(pdf)).toBe(true);
    expect((await becomes(third, 200)).bytes.equals(textPdf(2))).toBe(true);
  });

  test("a document under another person does not hide the person's own document, which secondaryUin=- selects", async () => {
    const [child, mother] = await newPersons();
    await documents.put(mother, 'birth/-/certificate.pdf', pdf);
    await documents.put(child, `birth/${mother}/certificate.pdf`, textPdf(2));
    const { error } = await becomes(mother, 400, { doctype: 'birth' });
    expect(error.message).toContain('(-: the document about this person alone)');
    expect((await ask(mother, { doctype: 'birth', secondaryUin: '-' })).bytes.equals(pdf)).toBe(true);
    expect((await ask(mother, { doctype: 'birth', secondaryUin: child })).bytes.equals(textPdf(2))).toBe(true);
  });

  test('a deleted document cannot be found by either UIN until it is stored again', async () => {
    const [first, second] = await newPersons();
    const key = await documents.put(first, `marriage/${second}/deed.pdf`, pdf);
    await becomes(second, 200);
    await documents.removeObject(key);
    // At the time of this request, the S3 event has not arrived: the index still lists the document that the bucket has lost.
    expect((await ask(second)).status).toBe(404);
    expect((await ask(first)).status).toBe(404);
    await documents.put(first, `marriage/${second}/deed.pdf`, textPdf(2));
    expect((await becomes(second, 200)).bytes.equals(textPdf(2))).toBe(true);
  });

  test('a document is not replaced by a file in a subfolder', async () => {
    const [first, second] = await newPersons();
    await documents.put(first, `marriage/${second}/merged/deed.pdf`, textPdf(2));
    const key = await documents.put(first, `marriage/${second}/deed.pdf`, pdf);
    for (const uin of [first, second]) expect((await becomes(uin, 200)).bytes.equals(pdf)).toBe(true);
    await documents.removeObject(key);
    // The index still contains the link, but no client can read the file in the subfolder.
    for (const uin of [first, second]) expect((await ask(uin)).status).toBe(404);
    expect((await ask(first, { secondaryUin: second })).status).toBe(404);
    expect((await ask(second, { secondaryUin: first })).status).toBe(404);
  });

  test('a document about two persons is not returned for another person or another type', async () => {
    const [first, second, third] = await newPersons();
    await documents.put(first, `marriage/${second}/deed.pdf`, pdf);
    await becomes(second, 200);
    expect((await ask(third)).status).toBe(404);
    expect((await ask(second, { doctype: 'divorce' })).status).toBe(404);
    expect((await ask(second, { secondaryUin: third })).status).toBe(404);
  });
});

describe('a document request', () => {
  test('a document request for an unknown UIN returns 404, even if the UIN contains a path to another folder', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', pdf);
    for (const unknown of ['999999999999', `${uin}/birth`, `../${uin}`, `${uin}/`, 'documents']) {
      const { status, error } = await documents.get(unknown, { doctype: 'birth', format: 'pdf' });
      expect([status, error.code], unknown).toEqual([404, 1040]);
    }
  });

  test.each(['death', 'b', 'birth/-', '-'])(
    'a document request for a person without a document of type %s returns 404',
    async (doctype) => {
      const uin = await documents.newPerson();
      await documents.put(uin, 'birth/-/certificate', pdf);
      await documents.put(uin, 'death/-/below/certificate', pdf);
      const { status, error } = await documents.get(uin, { doctype, format: 'pdf' });
      expect([status, error]).toEqual([404, { code: 1043, message: 'the person has no such document' }]);
    },
  );

  test.each([
    [{ format: 'pdf' }, 'doctype is required in the query'],
    [{ doctype: 'birth' }, 'format is required in the query'],
    [{ doctype: ' ', format: 'pdf' }, 'doctype in the query must not be blank'],
    [{ doctype: 'birth', format: 'pdf', page: '0' }, 'page in the query must be a number from 1 to 9999'],
    [{ doctype: 'birth', format: 'pdf', page: '1' }, 'page selects a page as an image'],
    [{ doctype: 'birth', format: 'pdf', pages: '1' }, 'is not a query parameter'],
  ])('%j returns 400', async (query, message) => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', pdf);
    const { status, error } = await documents.get(uin, query as Record<string, string>);
    expect([status, error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a caller that already has the document', () => {
  test.each(['pdf', 'png'])('a caller that already has the document receives 304 for the format %s', async (format) => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', pdf);
    const query = { doctype: 'birth', format };
    const tag = (await documents.get(uin, query)).headers.get('etag') ?? '';
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, bytes, headers } = await documents.get(uin, query, { 'if-none-match': header });
      expect([status, bytes.length, headers.get('etag')], header).toEqual([304, 0, tag]);
    }
    await documents.put(uin, 'birth/-/certificate', textPdf(2));
    expect((await documents.get(uin, query, { 'if-none-match': tag })).status).toBe(200);
  });

  test('each format and page of a document has a different ETag', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/certificate', textPdf(2));
    const queries = [{ format: 'png' }, { format: 'jpeg' }, { format: 'png', page: '1' }, { format: 'png', page: '2' }];
    const answers = queries.map((query) =>
      documents.get(uin, { doctype: 'birth', ...query } as Record<string, string>),
    );
    const tags = (await Promise.all(answers)).map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(queries.length);
  });
});

test.each([
  ['no token', null, 401],
  ['a token without the scope', 'uin.generate', 403],
] as const)('a request with %s returns %i, whether or not the document exists', async (_what, scope, status) => {
  const uin = await documents.newPerson();
  await documents.put(uin, 'birth/-/certificate', pdf);
  const token = scope === null ? null : await world.tokenFor([scope]);
  for (const one of [uin, randomUUID()]) {
    const query = { doctype: 'birth', format: 'pdf' };
    const answer = await world.call(readDocument, { path: { uin: one }, query, token });
    expect(answer.status).toBe(status);
  }
});
