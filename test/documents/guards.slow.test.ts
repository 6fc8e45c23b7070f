import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { type Outcome, useConverter } from '../harness/converter.ts';
import { makeDocuments, rejectedFiles, scannedPdf } from '../harness/document-files.ts';
import { everyNth } from '../harness/every-nth.ts';
import { makeBrokenImages } from '../harness/hostile-images.ts';
import { filledForm, hostilePdfs, slowPdfs, textPdf } from '../harness/pdf-files.ts';
import { becomesIdle } from '../harness/process-load.ts';
import { seededBytes } from '../harness/random.ts';

const converter = useConverter();
const good = textPdf();
const brokenImages = await makeBrokenImages();

const isExpected = (outcome: Outcome): boolean =>
  outcome.is === 'made' ||
  (outcome.is === 'refused' && ['unconvertible', 'conversionFailed'].includes(outcome.refusal));

describe('a hostile file', () => {
  test.each(Object.entries({ ...hostilePdfs, ...brokenImages }))('%s', async (name, bytes) => {
    // A short time limit is sufficient, because malicious files reach their peak memory use early.
    const isSlow = slowPdfs.includes(name);
    const formats: readonly Format[] = isSlow ? ['jpeg'] : ['jpeg', 'tiff'];
    for (const format of formats) {
      expect(await converter.outcome(bytes, format, isSlow ? 1000 : undefined), format).toSatisfy(isExpected);
    }
    expect(await converter.outcome(good, 'jpeg')).toEqual({ is: 'made', parts: 1 });
    expect(await becomesIdle(converter.pid ?? 0)).toBe(true);
    expect(converter.peakMegabytes).toBeLessThan(900);
  });

  test.each([
    ['a form that draws itself', 'conversionFailed'],
    ['a page tree that contains itself', 'unconvertible'],
    ['a million references to one page', 'unconvertible'],
    ['brackets without end', 'unconvertible'],
  ] as const)('the malicious file %s is rejected with the error %s', async (name, refusal) => {
    expect(await converter.outcome(hostilePdfs[name], 'png')).toMatchObject({ is: 'refused', refusal });
  });
});

describe('the largest accepted image', async () => {
  const image = sharp({ create: { width: 7000, height: 7000, channels: 4, background: '#88888888' } });
  // The decoder keeps the entire interlaced image in memory.
  const interlaced = await image.png({ progressive: true }).toBuffer();

  test.each<Format>(['pdf', 'jpeg', 'tiff'])(
    'the largest accepted image is converted to %s within the memory limit',
    async (format) => {
      expect(await converter.outcome(interlaced, format)).toSatisfy(isExpected);
      expect(converter.peakMegabytes).toBeLessThan(900);
    },
  );
});

describe('a file that cannot be converted', () => {
  test.each(Object.keys(rejectedFiles))('a file that cannot be converted is rejected: %s', async (name) => {
    const outcome = await converter.outcome(rejectedFiles[name as keyof typeof rejectedFiles], 'pdf');
    expect(outcome).toMatchObject({ is: 'refused', refusal: 'unconvertible' });
  });
});

afterAll(() => {
  console.info(`peak memory of the converter: ${converter.peakMegabytes.toFixed(0)} MB`);
});

describe('mutations of valid files', async () => {
  const { jpeg, png, gif, webp, fax, jpeg2000, cmykJpeg } = await makeDocuments();
  const scanned = await scannedPdf(1, 200, 300);
  const sources = [jpeg, png, gif, webp, fax, jpeg2000, cmykJpeg, textPdf(2), filledForm(), scanned];
  const formats: readonly Format[] = ['pdf', 'jpeg', 'png', 'tiff', 'webp'];
  const seeds = Array.from({ length: 50 }, (_, index) => index + 1);

  /**
   * Changes a few bytes of a file. For some seeds, also removes the end of the file, or removes or repeats a section.
   * The same seed always produces the same file.
   */
  function mutate(source: Buffer, seed: number): Buffer {
    const random = Buffer.from(seededBytes(seed)(64));
    const place = (at: number): number => random.readUInt32LE(at) % source.length;
    const copy = Buffer.from(source);
    for (let change = 0; change < 1 + (seed % 8); change += 1) copy[place(4 * change)] = random[40 + change] ?? 0;
    if (seed % 5 === 0) return copy.subarray(0, place(36));
    if (seed % 7 === 0) return Buffer.concat([copy.subarray(0, place(36)), copy.subarray(place(32))]);
    return copy;
  }

  test.each(sources.map((source, index) => ({ index, source })))(
    'a mutated file does not crash or block the process (mutations of file $index)',
    async ({ source, index }) => {
      for (const seed of everyNth(seeds, 3, index)) {
        const format = formats[seed % formats.length] as Format;
        expect(await converter.outcome(mutate(source, seed), format), `seed ${seed}`).toSatisfy(isExpected);
      }
      expect(await converter.outcome(good, 'png')).toEqual({ is: 'made', parts: 1 });
    },
  );
});
