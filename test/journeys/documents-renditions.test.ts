import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { sourceFolder } from '../../shared/domain/documents/rendition.ts';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments, scan, scannedPdf } from '../harness/document-files.ts';
import { eventually } from '../harness/eventually.ts';
import { animatedWebp } from '../harness/frames.ts';
import { hostilePdfs, textPdf } from '../harness/pdf-files.ts';
import { makePicturedPdfs } from '../harness/pictured-pdfs.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const documents = openDocuments(world);

// The function's requests to S3, in order.
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

// The local S3 rejects larger objects in a single request.
const partBytes = 8 * 1024 * 1024;

async function stored(file: Buffer): Promise<string> {
  const uin = await documents.newPerson();
  await (file.length > partBytes ? documents.putLarge : documents.put)(uin, 'birth/-/certificate', file);
  return uin;
}

describe('renditions', () => {
  test('the second request for a rendition returns the stored bytes', async () => {
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

  test('deleting a document deletes its renditions, but not those of another document with the same bytes', async () => {
    const [file, twin] = [textPdf(2), await stored(textPdf(2))];
    const uin = await stored(file);
    for (const one of [uin, twin]) expect((await documents.get(one, as('png'))).status).toBe(200);
    await documents.removeObject(`documents/${uin}/birth/-/certificate`);
    await eventually(async () => expect(await documents.keysBelow(below(uin))).toEqual([]));
    expect(await documents.keysBelow(below(twin))).toHaveLength(3);
  });

  test('a rendition is created again after its source is replaced', async () => {
    const uin = await stored(await scan(60, 40, 1).png().toBuffer());
    const first = await documents.get(uin, as('jpeg'));
    await documents.put(uin, 'birth/-/certificate', await scan(60, 40, 2).png().toBuffer());
    const made = await conversionsDuring(async () => {
      expect((await documents.get(uin, as('jpeg'))).bytes.equals(first.bytes)).toBe(false);
    });
    expect(made).toBe(1);
    // S3 reports the new source after a short time, and only then is the old rendition deleted.
    await eventually(async () => expect(await documents.keysBelow(below(uin))).toHaveLength(2));
  });

  test('a document that needs no conversion is not stored as a rendition', async () => {
    const file = await scan(61, 40).jpeg().toBuffer();
    const uin = await stored(file);
    await documents.get(uin, as('jpeg'));
    expect(await documents.keysBelow(below(uin))).toEqual([]);
    expect(calls.filter(({ action }) => action === 's3:PutObject')).toEqual([]);
  });

  test('eight concurrent requests for a rendition return identical, valid bytes', async () => {
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

    // The writer stopped before it stored the manifest.
    await documents.removeObject(manifest);
    await documents.putObject(second, Buffer.from('half'));
    expect((await documents.get(uin, as('jpeg'))).parts).toEqual(sound.parts);
    // A part in the manifest has changed or is missing, or the manifest lists no parts.
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
});

describe('failed conversions', () => {
  test('a conversion that fails because of the file is not repeated, and its error message is stored', async () => {
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

  test('a conversion that runs out of memory is repeated for the next request, and other documents are still converted', async () => {
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

  test('a conversion that runs out of time returns an Error object, and other documents are still converted', async () => {
    const uin = await stored(hostilePdfs['a pattern of tiny tiles']);
    const { status, error } = await documents.get(uin, as('png'));
    expect([status, error]).toEqual([500, { code: 1501, message: expect.stringContaining('takes too long') }]);
    expect(await documents.keysBelow(below(uin))).toEqual([]);
    expect((await documents.get(await stored(textPdf(1)), as('tiff'))).status).toBe(200);
  });

  test('a request for a page that does not exist stores no rendition', async () => {
    const { fax } = await makeDocuments();
    const uin = await stored(fax);
    expect((await documents.get(uin, { ...as('png'), page: '4' })).status).toBe(400);
    expect(await documents.keysBelow(below(uin))).toEqual([]);
  });
});

test('four concurrent conversions of WebP files with many frames do not block the conversion of other documents', async () => {
  const crowded = await stored(await animatedWebp(300_000));
  const attack = Array.from({ length: 4 }, () => documents.get(crowded, as('png')));
  const scans = await Promise.all([1, 2, 3].map((seed) => scan(300, 200, seed).jpeg().toBuffer()));
  const healthy = await Promise.all(scans.map(stored));
  for (const uin of healthy) expect((await documents.get(uin, as('png'))).status).toBe(200);
  for (const { status, error } of await Promise.all(attack)) {
    expect([status, error]).toEqual([415, { code: 1416, message: expect.stringContaining('over 1000 frames') }]);
  }
  for (const uin of healthy) expect((await documents.get(uin, as('webp'))).status).toBe(200);
});

test.each([null, 'uin.generate'] as const)(
  'the function sends no requests to S3 for an unauthorized caller (scope: %s)',
  async (scope) => {
    const uin = await stored(textPdf(1));
    const authorization = scope === null ? '' : `Bearer ${await world.tokenFor([scope])}`;
    calls.length = 0;
    const { status } = await documents.get(uin, as('png'), { authorization });
    expect(status).toBe(scope === null ? 401 : 403);
    expect(calls).toEqual([]);
  },
);

test('the function’s only S3 actions are listing the bucket, reading documents and writing renditions', async () => {
  await documents.get(await stored(textPdf(1)), as('pdf'));
  await documents.get(await stored(textPdf(4)), as('jpeg'));
  const bucket = `s3:arn:aws:s3:::${world.outputs.resources.buckets.documents}`;
  const places = calls
    .filter(({ key }) => key.startsWith('s3:'))
    .map(({ action, key }) => {
      return `${action} ${key.slice(bucket.length).replace(/^\/(\w+).*/, '$1')}`;
    });
  const expected = ['s3:ListBucket ', 's3:GetObject documents', 's3:PutObject renditions'];
  expect([...new Set(places)].toSorted()).toEqual(expected.toSorted());
});

test('a 30 MB document passes through unchanged, and its first bytes arrive before its last', async () => {
  const size = 30 * 1024 * 1024;
  const head = textPdf(1);
  const file = Buffer.concat([head, Buffer.alloc(size - head.length, 'certificate ')]);
  const uin = await documents.newPerson();
  await documents.putLarge(uin, 'birth/-/certificate', file);
  const response = await documents.ask(uin, as('pdf'));
  expect(response.status).toBe(200);
  const digest = createHash('sha256');
  let chunks = 0;
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    digest.update(chunk);
    chunks += 1;
    bytes += chunk.length;
  }
  expect([bytes, digest.digest('hex')]).toEqual([size, createHash('sha256').update(file).digest('hex')]);
  expect(chunks).toBeGreaterThan(10);
  expect(response.headers.get('content-length')).toBeNull();
});
