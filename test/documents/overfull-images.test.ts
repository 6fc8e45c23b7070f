import { afterAll, describe, expect, test } from 'vitest';
import { readImageHeader } from '../../shared/documents/inspect-image.ts';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { useConverter } from '../harness/converter.ts';
import { makeDocuments, scan } from '../harness/document-files.ts';
import { animatedGif, animatedWebp, apng, pngWith, tiffOf } from '../harness/frames.ts';
import { makeOverfullImages } from '../harness/hostile-images.ts';
import { becomesIdle } from '../harness/process-load.ts';

const converter = useConverter();
const { jpeg } = await makeDocuments();

afterAll(() => {
  console.info(`peak memory of the converter: ${converter.peakMegabytes.toFixed(0)} MB`);
});

describe('an image that exceeds a limit', async () => {
  test.each(Object.entries(await makeOverfullImages()))(
    '%s is rejected before a codec opens the image',
    async (name, [bytes, reason]) => {
      const formats: readonly Format[] = ['pdf', name.includes('WebP') ? 'png' : 'webp'];
      for (const format of formats) {
        const outcome = await converter.outcome(bytes, format);
        expect(outcome).toEqual({ is: 'refused', refusal: 'unconvertible', message: expect.stringContaining(reason) });
      }
      expect(await converter.outcome(jpeg, 'png')).toEqual({ is: 'made', parts: 1 });
      expect(await becomesIdle(converter.pid ?? 0)).toBe(true);
      expect(converter.peakMegabytes).toBeLessThan(400);
    },
  );
});

describe('an image within the limits', async () => {
  const made = { is: 'made', parts: 1 };
  test.each([
    ['an animated WebP', await animatedWebp(999)],
    ['an animated GIF', animatedGif(999)],
    ['an animated PNG', apng(999)],
    ['a PNG with a long text', pngWith('zTXt', 15)],
    ['a progressive JPEG', await scan(90, 70).jpeg({ progressive: true }).toBuffer()],
    ['a JPEG with a colour profile', await scan(90, 70).withIccProfile('p3').jpeg().toBuffer()],
    ['a lossless WebP', await scan(90, 70).webp({ lossless: true }).toBuffer()],
    ['a WebP with transparency', await scan(90, 70).ensureAlpha(0.5).webp().toBuffer()],
    ['a GIF with one frame', await scan(90, 70).gif().toBuffer()],
    ['a TIFF with tiles', await scan(900, 700).tiff({ tile: true }).toBuffer()],
    ['a BigTIFF', await scan(90, 70).tiff({ bigtiff: true }).toBuffer()],
    ['a little-endian TIFF', tiffOf('II', 40)],
    ['a big-endian TIFF', tiffOf('MM', 40)],
  ])('%s is converted', async (_name, bytes) => {
    expect(await converter.outcome(bytes, 'jpeg')).toEqual(made);
  });
});

test.each(['jpeg', 'png', 'gif', 'webp', 'tiff'] as const)(
  'the number of pixels in a %s is read from its header',
  async (format) => {
    const image = await scan(90, 70).toFormat(format).toBuffer();
    expect(readImageHeader(image, format).pixels).toBe(90 * 70);
  },
);
