import { afterAll, describe, expect, test } from 'vitest';
import type { Format } from '../../shared/model/documents/document-format.ts';
import { useConverter } from '../support/converter.ts';
import { makeDocuments } from '../support/document-files.ts';
import { animatedGif, animatedWebp, apng, pngWith } from '../support/frames.ts';
import { makeOverfullImages } from '../support/hostile-images.ts';
import { comesToRest } from '../support/process-load.ts';

const converter = useConverter();
const { jpeg } = await makeDocuments();

afterAll(() => {
  console.info(`the converter had at most ${converter.peakMegabytes.toFixed(0)} MB`);
});

describe('before any codec opens it', async () => {
  test.each(Object.entries(await makeOverfullImages()))('%s is refused', async (name, [bytes, reason]) => {
    const formats: readonly Format[] = ['pdf', name.includes('WebP') ? 'png' : 'webp'];
    for (const asked of formats) {
      const outcome = await converter.outcome(bytes, asked);
      expect(outcome).toEqual({ is: 'refused', refusal: 'unconvertible', message: expect.stringContaining(reason) });
    }
    expect(await converter.outcome(jpeg, 'png')).toEqual({ is: 'made', parts: 1 });
    expect(await comesToRest(converter.pid ?? 0)).toBe(true);
    expect(converter.peakMegabytes).toBeLessThan(400);
  });
});

describe('what is within the limits', async () => {
  const made = { is: 'made', parts: 1 };
  test.each([
    ['an animated WebP', await animatedWebp(999)],
    ['an animated GIF', animatedGif(999)],
    ['an animated PNG', apng(999)],
    ['a PNG with a long text', pngWith('zTXt', 15)],
  ])('%s is converted', async (_name, bytes) => {
    expect(await converter.outcome(bytes, 'jpeg')).toEqual(made);
  });
});
