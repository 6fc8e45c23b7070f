import { describe, expect, test } from 'vitest';
import { useConverter } from '../harness/converter.ts';
import { makePicturedPdfs } from '../harness/pictured-pdfs.ts';

const converter = useConverter();
const { good, broken, masked, lacking } = await makePicturedPdfs();

describe('a page with', () => {
  test.each(Object.entries(good))('%s is converted', async (_name, pdf) => {
    expect(await converter.outcome(pdf, 'png')).toEqual({ is: 'made', parts: 1 });
  });

  test.each(Object.entries(broken))('%s is rejected instead of rendered without the picture', async (_name, pdf) => {
    expect(await converter.outcome(pdf, 'png')).toEqual({
      is: 'refused',
      refusal: 'unconvertible',
      message: expect.stringContaining('picture on page 1'),
    });
  });

  test.each(Object.entries(lacking))('%s that is missing from the file is rejected', async (_name, pdf) => {
    expect(await converter.outcome(pdf, 'png')).toEqual({
      is: 'refused',
      refusal: 'unconvertible',
      message: expect.stringContaining('is missing'),
    });
  });

  test.each(Object.entries(masked))(
    'a picture whose mask is %s is rejected instead of rendered without the picture',
    async (_name, pdf) => {
      expect(await converter.outcome(pdf, 'png')).toEqual({
        is: 'refused',
        refusal: 'unconvertible',
        message: expect.stringContaining('damaged mask'),
      });
    },
  );
});
