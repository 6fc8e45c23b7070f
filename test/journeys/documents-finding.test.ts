import { expect, test } from 'vitest';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments } from '../harness/document-files.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { textPdf } from '../harness/pdf-files.ts';

const world = await useWorld();
const documents = openDocuments(world);

const { jpeg } = await makeDocuments();
const pdf = textPdf();

/** Registers a new person, stores their birth certificate, and returns their UIN. */
async function stored(file: Buffer, name = 'certificate'): Promise<string> {
  const uin = await documents.newPerson();
  await documents.put(uin, `birth/-/${name}`, file);
  return uin;
}

test.each([
  ...['pdf', 'PDF', 'application/pdf', 'Application/PDF'].map((format) => [format, 'application/pdf', pdf] as const),
  ...([
    ['jpg', 'image/jpeg', jpeg],
    ['tif', 'image/tiff', jpeg],
    ['image/webp', 'image/webp', jpeg],
  ] as const),
])('for the format %s, a document is returned with the media type %s', async (format, mediaType, file) => {
  const { headers } = await documents.get(await stored(file), { doctype: 'birth', format });
  expect(headers.get('content-type')).toBe(mediaType);
});

test('a document that is stored in several formats is returned in the format requested', async () => {
  const uin = await stored(pdf, 'certificate.pdf');
  await documents.put(uin, 'birth/-/certificate.jpg', jpeg);
  for (const [format, file] of [
    ['pdf', pdf],
    ['jpeg', jpeg],
  ] as const) {
    expect((await documents.get(uin, { doctype: 'birth', format })).bytes.equals(file)).toBe(true);
  }
});

test('the response with a document has headers that prevent caching and content sniffing', async () => {
  const { headers } = await documents.get(await stored(pdf), { doctype: 'birth', format: 'pdf' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename="birth.pdf"',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
});

test('a request for a document of an unknown UIN returns 404, even if the UIN contains a path to another folder', async () => {
  const uin = await stored(pdf);
  for (const unknown of ['999999999999', `${uin}/birth`, `../${uin}`, `${uin}/`, 'documents']) {
    const { status, error } = await documents.get(unknown, { doctype: 'birth', format: 'pdf' });
    expect([status, error.code], unknown).toEqual([404, 1040]);
  }
});

test.each(['death', 'b', 'birth/-', '-'])(
  'a request for a missing document of type %s returns 404',
  async (doctype) => {
    const uin = await stored(pdf);
    await documents.put(uin, 'death/-/below/certificate', pdf);
    const { status, error } = await documents.get(uin, { doctype, format: 'pdf' });
    expect([status, error]).toEqual([404, { code: 1043, message: 'the person has no such document' }]);
  },
);

test('every format and every page of a document has a different ETag', async () => {
  const uin = await stored(textPdf(2));
  const queries = [{ format: 'png' }, { format: 'jpeg' }, { format: 'png', page: '1' }, { format: 'png', page: '2' }];
  const answers = queries.map((query) => documents.get(uin, { doctype: 'birth', ...query } as Record<string, string>));
  const tags = (await Promise.all(answers)).map(({ headers }) => headers.get('etag'));
  expect(new Set(tags).size).toBe(queries.length);
});
