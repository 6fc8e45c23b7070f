import { beforeEach, describe, expect, test } from 'vitest';
import { sourceFolder } from '../../shared/domain/documents/rendition.ts';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments, scan, scannedPdf } from '../harness/document-files.ts';
import { hostilePdfs, textPdf } from '../harness/pdf-files.ts';
import { makePicturedPdfs } from '../harness/pictured-pdfs.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const documents = openDocuments(world);

// The requests that the function has sent to S3, in order.
const calls: { readonly action: string; readonly key: string }[] = [];
stack.onAwsCall(({ functionName, service, action, needs }) => {
  if (functionName === 'readDocument') calls.push({ action, key: `${service}:${needs[0]?.resources.join()}` });
});
beforeEach(() => {
  calls.length = 0;
});

const conversions = (): number => world.logLines().filter((line) => line.includes('"message":"converted"')).length;
const below = (uin: string): string => `renditions/${sourceFolder(`documents/${uin}/birth/-/certificate`)}/`;

/** Returns how many conversions an action causes. */
async function conversionsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = conversions();
  await work();
  return conversions() - before;
}

const as = (format: string) => ({ doctype: 'birth', format });

async function stored(file: Buffer): Promise<string> {
  const uin = await documents.newPerson();
  await documents.put(uin, 'birth/-/certificate', file);
  return uin;
}

test('the second request for a rendition returns the bytes that were stored after the first', async () => {
  const uin = await stored(textPdf(2));
  const first = await documents.get(uin, as('png'));
  expect(first.parts).toHaveLength(2);
  const made = await conversionsDuring(async () => {
    expect((await documents.get(uin, as('png'))).parts).toEqual(first.parts);
  });
  expect(made).toBe(0);
  const names = (await documents.keysBelow(below(uin))).map((key) => key.split('/').at(-1));
  expect(names.toSorted()).toEqual(['manifest.json', 'p0001.png', 'p0002.png']);
});

test('a document that needs no conversion is not stored as a rendition', async () => {
  const file = await scan(61, 40).jpeg().toBuffer();
  const uin = await stored(file);
  await documents.get(uin, as('jpeg'));
  expect(await documents.keysBelow(below(uin))).toEqual([]);
  expect(calls.filter(({ action }) => action === 's3:PutObject')).toEqual([]);
});

test('eight concurrent requests for a rendition return the same valid bytes', async () => {
  const uin = await stored(await scannedPdf(2, 300, 400));
  const answers = await Promise.all(Array.from({ length: 8 }, () => documents.get(uin, as('png'))));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.parts).toEqual(answers[0]?.parts);
  }
});

test('an incomplete rendition is not returned', async () => {
  const file = textPdf(3);
  const uin = await stored(file);
  const sound = await documents.get(uin, as('jpeg'));
  const keys = await documents.keysBelow(below(uin));
  const manifest = keys.find((key) => key.endsWith('manifest.json')) ?? '';
  const second = keys.find((key) => key.endsWith('p0002.jpg')) ?? '';

  // At first, the manifest is missing, as if the process had stopped before storing it.
  await documents.removeObject(manifest);
  await documents.putObject(second, Buffer.from('half'));
  expect((await documents.get(uin, as('jpeg'))).parts).toEqual(sound.parts);
  // Next, a part in the manifest has changed or is missing, or the manifest lists no parts.
  await documents.putObject(second, Buffer.from('another'));
  expect((await documents.get(uin, as('jpeg'))).parts).toEqual(sound.parts);
  await documents.removeObject(second);
  expect((await documents.get(uin, as('jpeg'))).parts).toEqual(sound.parts);
  await documents.putObject(manifest, Buffer.from('{"parts":[]}'));
  expect((await documents.get(uin, as('jpeg'))).parts).toEqual(sound.parts);
});

test('a rendition is returned even if it cannot be stored', async () => {
  const uin = await stored(await scan(62, 40).png().toBuffer());
  const release = stack.onAwsCall(({ functionName, action }) =>
    functionName === 'readDocument' && action === 's3:PutObject' ? { status: 403, body: '<Error/>' } : undefined,
  );
  const { status, bytes } = await documents.get(uin, as('jpeg'));
  release();
  expect([status, bytes.subarray(0, 3)]).toEqual([200, Buffer.from([0xff, 0xd8, 0xff])]);
  expect(world.logLines().some((line) => line.includes('rendition not stored'))).toBe(true);
});

describe('failed conversions', () => {
  test('a conversion that fails because of the file is not tried again, and its error message is stored', async () => {
    const { broken } = await makePicturedPdfs();
    const uin = await stored(broken['a truncated JPEG']);
    const first = await documents.get(uin, as('png'));
    expect([first.status, first.error.code]).toEqual([415, 1416]);
    const made = await conversionsDuring(async () => {
      const second = await documents.get(uin, as('png'));
      expect([second.status, second.error]).toEqual([415, first.error]);
    });
    expect(made).toBe(0);
  });

  test('a conversion that runs out of memory is tried again at the next request, and other conversions succeed', async () => {
    const file = hostilePdfs['a form that draws itself'];
    const uin = await stored(file);
    const made = await conversionsDuring(async () => {
      for (const _time of [1, 2]) {
        const { status, error } = await documents.get(uin, as('png'));
        expect([status, error.code]).toEqual([500, 1501]);
      }
    });
    expect(made).toBe(2);
    expect(await documents.keysBelow(below(uin))).toEqual([]);
    expect((await documents.get(await stored(textPdf(1)), as('webp'))).status).toBe(200);
  });

  test('a request for a page that the document does not have stores no rendition', async () => {
    const { fax } = await makeDocuments();
    const uin = await stored(fax);
    expect((await documents.get(uin, { ...as('png'), page: '4' })).status).toBe(400);
    expect(await documents.keysBelow(below(uin))).toEqual([]);
  });
});
