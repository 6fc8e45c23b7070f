import { Refusal } from '../../model/refusals.ts';
import { isDecodable } from '../image-codec.ts';
import { isWholeFax } from './fax.ts';
import { isWholeJbig2 } from './jbig2.ts';
import type { StoredPicture } from './page-pictures.ts';

/** Numbers of a pixel by colour space (FPDF_COLORSPACE_…), where that says it: the rest have one at least. */
const components: Readonly<Record<number, number>> = { 2: 3, 3: 4, 5: 3, 6: 3 };
const iccBased = 7;

/**
 * Whether pixels that no codec packed are all there. Nothing tells how many bits each number has: fewer than eight they have
 * where the length says so exactly. A last row that ends early does not show.
 */
function areWholePixels({ width, height, bitsPerPixel, colourSpace, data }: StoredPicture): boolean {
  const numbers = components[colourSpace] ?? (colourSpace === iccBased && bitsPerPixel >= 24 ? 3 : 1);
  const row = (bits: number): number => Math.ceil((width * numbers * bits) / 8);
  const usual = bitsPerPixel === 1 ? 1 : 8;
  if (data.length > row(usual) * (height - 1)) return true;
  return [1, 2, 4].some((bits) => Math.abs(data.length - row(bits) * height) <= 2);
}

async function isWhole(picture: StoredPicture): Promise<boolean> {
  if (picture.bitsPerPixel === 0 || picture.data.length === 0) return false;
  // The engine shows what there is of a JPEG, and says nothing. Of JPEG 2000 it shows nothing, and says so.
  if (picture.codec === 'DCTDecode') return isDecodable(picture.data);
  if (picture.codec === 'CCITTFaxDecode') return isWholeFax(picture);
  if (picture.codec === 'JBIG2Decode') return isWholeJbig2(picture.data);
  return picture.codec === 'JPXDecode' || areWholePixels(picture);
}

/**
 * Looks whether the pictures of a page can be shown, each as a whole: the engine leaves blank what it cannot decode.
 * @param number of the page, from 1
 * @throws Refusal `unconvertible`
 */
export async function checkPictures(pictures: Iterable<StoredPicture>, number: number): Promise<void> {
  for (const picture of pictures) {
    if (await isWhole(picture)) continue;
    throw new Refusal(
      'unconvertible',
      `the document cannot be converted: a picture on page ${number} is damaged or not all there; ask for pdf`,
    );
  }
}
