import { describe, expect, test } from 'vitest';
import { useConverter } from '../harness/converter.ts';
import { makePicturedPdfs } from '../harness/pictured-pdfs.ts';

const converter = useConverter();
const { good, broken, masked, lacking } = await makePicturedPdfs();
const rejectedBecause = (reason: string) => ({
  is: 'refused',
  refusal: 'unconvertible',
  message: expect.stringContaining(reason),
});

describe('a page with', () => {
  test.each(Object.entries(good))('%s is converted', async (_name, pdf) => {
    expect(await converter.outcome(pdf, 'png')).toEqual({ is: 'made', parts: 1 });
  });

  test.each(Object.entries(broken))(
    'a page with %s is rejected instead of being rendered without the picture',
    async (_name, pdf) => {
      expect(await converter.outcome(pdf, 'png')).toEqual(rejectedBecause('picture on page 1'));
    },
  );

  test.each(Object.entries(lacking))(
    'a page with %s is rejected if the picture is missing from the file',
    async (_name, pdf) => {
      expect(await converter.outcome(pdf, 'png')).toEqual(rejectedBecause('is missing'));
    },
  );

  test.each(Object.entries(masked))('a page with a picture whose mask is %s is rejected', async (_name, pdf) => {
    expect(await converter.outcome(pdf, 'png')).toEqual(rejectedBecause('damaged mask'));
  });

  test('a page with a damaged mask is converted if the file is encrypted, because encrypted masks cannot be checked', async () => {
    const encrypted = Buffer.concat([masked.noise, Buffer.from('\n%/Encrypt')]);
    expect(await converter.outcome(encrypted, 'png')).toEqual({ is: 'made', parts: 1 });
  });
});
