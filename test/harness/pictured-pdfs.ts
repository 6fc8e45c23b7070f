import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeDocuments, scan } from './document-files.ts';
import { type PdfObject, packedPdf, pageOf } from './pdf-files.ts';
import { seededBytes } from './random.ts';

// The following functions create valid and damaged one-page PDFs that contain images.

const cover = 'q 595 0 0 842 0 0 cm /P Do Q';

const picture = (dictionary: string, data: Uint8Array): PdfObject => [`/Type/XObject/Subtype/Image${dictionary}`, data];
const covered = (dictionary: string, data: Uint8Array, ...more: readonly PdfObject[]): Buffer =>
  pageOf(cover, '/XObject<</P 5 0 R>>', [picture(dictionary, data), ...more]);
const size = (width: number, height: number): string => `/Width ${width}/Height ${height}`;
const raw = `${size(100, 100)}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
const flate = `${raw}/Filter/FlateDecode`;
const dct = `${size(240, 160)}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`;
const bilevel = `${size(400, 200)}/ColorSpace/DeviceGray/BitsPerComponent 1`;
const faxed = (k: number, more = ''): string =>
  `${bilevel}/Filter/CCITTFaxDecode/DecodeParms<</K ${k}/Columns 400/Rows 200${more}>>`;

/** Creates a fax of random black and white pixels. No row is empty. */
async function makeFax(): Promise<Buffer> {
  const pixels = Buffer.from(seededBytes(3)(400 * 200)).map((byte) => (byte < 40 ? 0 : 255));
  const image = sharp(pixels, { raw: { width: 400, height: 200, channels: 1 } }).toColourspace('b-w');
  const tiff = await image.tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer();
  const directory = tiff.readUInt32LE(4);
  const fieldOf = (tag: number): number => {
    for (let at = directory + 2; ; at += 12) if (tiff.readUInt16LE(at) === tag) return tiff.readUInt32LE(at + 8);
  };
  return tiff.subarray(fieldOf(273), fieldOf(273) + fieldOf(279));
}

/** Creates a JBIG2 stream (ITU-T T.88) with one region in MMR coding. */
function jbig2Of(fax: Buffer): Buffer {
  const segment = (number: number, type: number, ...data: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(data);
    const head = Buffer.alloc(11);
    head.writeUInt32BE(number);
    head.set([type, 0, 1], 4);
    head.writeUInt32BE(body.length, 7);
    return Buffer.concat([head, body]);
  };
  const place = Buffer.alloc(17);
  place.writeUInt32BE(400);
  place.writeUInt32BE(200, 4);
  return Buffer.concat([segment(0, 48, place, Buffer.alloc(2)), segment(1, 38, place, Buffer.from([1]), fax)]);
}

const half = (data: Buffer): Buffer => data.subarray(0, data.length / 2);
const damage = (data: Buffer): Buffer => Buffer.concat([half(data), Buffer.alloc(900, 0xff)]);
const noise = Buffer.from(seededBytes(5)(600));
const pixels = await scan(100, 100).raw().toBuffer();

/** Creates a Group 3 fax (ITU-T T.4) of white rows. Each row has an end-of-line code and runs of 384 and 16 pixels. */
function whiteRows(count: number): Buffer {
  const bits = '000000000001'.concat('00110111', '101010').repeat(count).concat('0000000');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

export async function makePicturedPdfs() {
  const { jpeg, cmykJpeg, greyJpeg, jpeg2000 } = await makeDocuments();
  const progressive = await scan(240, 160).jpeg({ progressive: true }).toBuffer();
  const fax = await makeFax();
  const jpx = `${size(48, 32)}/Filter/JPXDecode`;
  const jbig2 = `${bilevel}/Filter/JBIG2Decode`;
  const rows = Buffer.alloc(301 * 100, 2);
  const form: PdfObject = ['/Type/XObject/Subtype/Form/BBox[0 0 600 900]/Resources<</XObject<</P 6 0 R>>>>', cover];
  const inForm = (data: Buffer): Buffer => pageOf('/F Do', '/XObject<</F 5 0 R>>', [form, picture(dct, data)]);
  const mask = (data: Buffer, more = ''): PdfObject =>
    picture(`${size(100, 100)}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode${more}`, data);
  const stencil = (data: Buffer): PdfObject =>
    picture(`${size(100, 100)}/ImageMask true/BitsPerComponent 1/Filter/FlateDecode`, data);
  const jpegMask = (data: Buffer): PdfObject => picture(dct.replace('RGB', 'Gray'), data);
  const packed = deflateSync(pixels);
  const masked = (by: PdfObject, kind = 'SMask'): Buffer => covered(`${flate}/${kind} 6 0 R`, packed, by);
  const two = (...pictures: readonly PdfObject[]): Buffer =>
    pageOf(`${cover} q 90 0 0 90 9 9 cm /Q Do Q`, '/XObject<</P 5 0 R/Q 6 0 R>>', pictures);
  return {
    good: {
      'a JPEG': covered(dct, jpeg),
      'a progressive JPEG': covered(dct, progressive),
      'a CMYK JPEG': covered(dct.replace('RGB', 'CMYK'), cmykJpeg),
      'a grey JPEG': covered(dct.replace('RGB', 'Gray'), greyJpeg),
      'a JPEG followed by a line break': covered(dct, Buffer.concat([jpeg, Buffer.from('\r\n')])),
      'a compressed JPEG': covered(dct.replace('/DCTDecode', '[/FlateDecode/DCTDecode]'), deflateSync(jpeg)),
      'a JPEG 2000': covered(jpx, jpeg2000),
      'plain pixels': covered(raw, pixels),
      'packed pixels': covered(flate, packed),
      'compressed pixels without their checksum': covered(flate, packed.subarray(0, -4)),
      'predicted pixels': covered(`${flate}/DecodeParms<</Predictor 15/Colors 3/Columns 100>>`, deflateSync(rows)),
      'pixels of four bits': covered(flate.replace('t 8', 't 4'), deflateSync(pixels.subarray(0, 15_000))),
      'pixels of 16 bits': covered(flate.replace('t 8', 't 16'), deflateSync(Buffer.concat([pixels, pixels]))),
      'a palette of two bits': covered(
        `${size(99, 99)}/ColorSpace[/Indexed/DeviceRGB 3<000000ff000000ff00ffffff>]/BitsPerComponent 2`,
        Buffer.alloc(25 * 99, 0x1b),
      ),
      'a profile of four colours': covered(`${size(100, 75)}/ColorSpace[/ICCBased 6 0 R]/BitsPerComponent 8`, pixels, [
        '/N 4/Alternate/DeviceCMYK',
        noise,
      ]),
      'a custom colour space': covered(
        `${size(100, 100)}/ColorSpace[/Separation/Gold/DeviceGray 6 0 R]/BitsPerComponent 8`,
        pixels.subarray(0, 10_000),
        '<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>',
      ),
      'a stencil': covered(`${size(100, 100)}/ImageMask true`, Buffer.alloc(1300, 0x55)),
      'a mask': masked(mask(deflateSync(Buffer.alloc(10_000, 128)))),
      'a mask of one colour': masked(mask(deflateSync(Buffer.alloc(10_000)))),
      'a JPEG as a mask': masked(jpegMask(greyJpeg)),
      'a predicted mask': masked(
        mask(deflateSync(Buffer.alloc(10_100, 2)), '/DecodeParms<</Predictor 15/Columns 100>>'),
      ),
      'a stencil as a mask': masked(stencil(deflateSync(Buffer.alloc(1300))), 'Mask'),
      'colours as a mask': covered(`${flate}/Mask[0 9 0 9 0 9]`, packed),
      'a fax': covered(faxed(-1), fax),
      'a fax without its end mark': covered(faxed(-1, '/EndOfBlock false'), fax.subarray(0, -3)),
      'a fax in black': covered(faxed(-1, '/BlackIs1 true'), fax),
      'a Group 3 fax': covered(faxed(0, '/EndOfLine true'), whiteRows(200)),
      'a JBIG2': covered(jbig2, jbig2Of(fax)),
      'an inline picture': pageOf('q 99 0 0 99 0 0 cm BI /W 2 /H 2 /CS /RGB /BPC 8 ID 123456789012 EI Q'),
      'a form': inForm(jpeg),
      'several pictures': two(picture(dct, jpeg), picture(flate, packed)),
      'a reference to a missing picture that no page shows': pageOf(cover, '/XObject<</P 5 0 R/Q 9 0 R>>', [
        picture(dct, jpeg),
      ]),
      'nothing at all': pageOf(''),
    },
    broken: {
      'a truncated JPEG': covered(dct, half(jpeg)),
      'a truncated progressive JPEG': covered(dct, half(progressive)),
      'a JPEG with noise as its data': covered(dct, noise),
      'a JPEG without a header': covered(dct, jpeg.subarray(30)),
      'an empty JPEG': covered(dct, Buffer.alloc(0)),
      'a truncated JPEG in a form': inForm(half(jpeg)),
      'a picture and a truncated JPEG': two(picture(flate, packed), picture(dct, half(jpeg))),
      'a truncated JPEG 2000': covered(jpx, half(jpeg2000)),
      'truncated compressed pixels': covered(flate, half(packed)),
      'packed pixels damaged': covered(flate, damage(packed)),
      'noise instead of compressed pixels': covered(flate, noise),
      'half of the pixels': covered(raw, half(pixels).subarray(0, 14_000)),
      'no pixels': covered(raw, Buffer.alloc(0)),
      'a truncated fax': covered(faxed(-1), half(fax)),
      'a truncated Group 3 fax': covered(faxed(0, '/EndOfLine true'), half(whiteRows(200))),
      'an empty fax': covered(faxed(-1), Buffer.alloc(0)),
      'a truncated JBIG2': covered(jbig2, half(jbig2Of(fax))),
      'a JBIG2 whose data is noise': covered(jbig2, noise),
      'a JBIG2 that contains only the description of its page': covered(jbig2, jbig2Of(fax).subarray(0, 30)),
      'an unknown filter': covered(`${raw}/Filter/CrayonDecode`, pixels),
    },
    masked: {
      noise: masked(mask(noise)),
      'half of it': masked(mask(half(deflateSync(pixels.subarray(0, 10_000))))),
      'too little': masked(mask(deflateSync(Buffer.alloc(5000)))),
      'half of a JPEG': masked(jpegMask(half(greyJpeg))),
      'half of a stencil': masked(stencil(deflateSync(Buffer.alloc(600))), 'Mask'),
    },
    lacking: {
      'a picture': pageOf(cover, '/XObject<</P 5 0 R>>'),
      'a picture of a form': pageOf('/F Do', '/XObject<</F 5 0 R>>', [form]),
      'one of two pictures': two(picture(dct, jpeg)),
      'a picture, packed': packedPdf('<</XObject<</P 9 0 R>>>>', deflateSync(Buffer.from(cover))),
    },
  };
}
