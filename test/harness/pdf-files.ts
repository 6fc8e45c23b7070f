import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

/** A PDF object: text, or a stream with its dictionary and data. */
export type PdfObject = string | readonly [dictionary: string, stream: string | Uint8Array];

/** Writes a valid or invalid PDF from its objects. The objects are numbered from 1. Object 1 is the catalog. */
function pdfOf(objects: readonly PdfObject[]): Buffer {
  let length = 0;
  const chunks: Buffer[] = [];
  const write = (data: string | Uint8Array): void => {
    const chunk = Buffer.from(data as string, 'latin1');
    chunks.push(chunk);
    length += chunk.length;
  };
  write('%PDF-1.7\n');
  const offsets = objects.map((object, index) => {
    const offset = length;
    const [dictionary, stream] = typeof object === 'string' ? [object, undefined] : object;
    const size = stream === undefined ? '' : `/Length ${stream.length}`;
    write(`${index + 1} 0 obj\n${stream === undefined ? dictionary : `<<${dictionary}${size}>>`}\n`);
    if (stream !== undefined) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
    return offset;
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  write(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(chunks);
}

const a4 = '[0 0 595 842]';

/**
 * Creates a one-page PDF with the given page content. The resources can refer to additional objects, numbered from 5.
 */
export const pageOf = (content: string, resources = '', more: readonly PdfObject[] = [], box = a4): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${box}/Contents 4 0 R/Resources<<${resources}>>>>`,
    ['', content],
    ...more,
  ]);

/**
 * Creates a one-page PDF 1.5 with compressed objects and a cross-reference stream. The given content must be compressed
 * already.
 */
export function packedPdf(resources: string, content: Uint8Array): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${a4}/Contents 4 0 R/Resources${resources}>>`,
  ];
  const offsets = objects.map((_, index) => objects.slice(0, index).join(' ').length + (index > 0 ? 1 : 0));
  const index = offsets.map((offset, at) => `${at + 1} ${offset}`).join(' ');
  const packed = deflateSync(`${index} ${objects.join(' ')}`);
  const chunks: Buffer[] = [Buffer.from('%PDF-1.5\n')];
  const place = (): number => Buffer.concat(chunks).length;
  const write = (number: number, dictionary: string, data: Uint8Array): void => {
    const head = `${number} 0 obj\n<<${dictionary}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`;
    chunks.push(Buffer.from(head), Buffer.from(data), Buffer.from('\nendstream\nendobj\n'));
  };
  const places = [place()];
  write(4, '', content);
  places.push(place());
  write(5, `/Type/ObjStm/N 3/First ${index.length + 1}`, packed);
  places.push(place());
  // Each row contains three numbers: the type, the offset or object stream, and the generation or index (ISO 32000-1,
  // section 7.5.8).
  const row = (type: number, where: number, which: number): number[] => [type, where >> 8, where & 255, which];
  const rows = [row(0, 0, 255), row(2, 5, 0), row(2, 5, 1), row(2, 5, 2), ...places.map((at) => row(1, at, 0))];
  write(6, '/Type/XRef/Size 7/W[1 2 1]/Root 1 0 R', deflateSync(Buffer.from(rows.flat())));
  chunks.push(Buffer.from(`startxref\n${places[2]}\n%%EOF\n`));
  return Buffer.concat(chunks);
}

/** Creates a PDF whose pages contain text, including their page number. */
export function textPdf(pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${4 + 2 * index} 0 R`);
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...kids.flatMap((_, index): PdfObject[] => [
      `<</Type/Page/Parent 2 0 R/MediaBox${a4}/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F 3 0 R>>>>>>`,
      ['', `BT /F 40 Tf 80 ${700 - 20 * index} Td (Certificate, page ${index + 1}) Tj ET`],
    ]),
  ]);
}

/** Creates a PDF form with one completed field. The converter must render the value of the field. */
export const filledForm = (): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/NeedAppearances true/DR<</Font<</Helv 5 0 R>>>>/DA(/Helv 24 Tf 0 g)>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${a4}/Annots[4 0 R]>>`,
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Filled in by hand)/Rect[100 600 500 640]/DA(/Helv 24 Tf 0 g)/P 3 0 R/F 4>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);

/** Creates a one-page PDF with an image that covers the whole page. */
const pictured = (dictionary: string, data: Uint8Array): Buffer =>
  pageOf('q 595 0 0 842 0 0 cm /P Do Q', '/XObject<</P 5 0 R>>', [[`/Type/XObject/Subtype/Image${dictionary}`, data]]);

const zeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 1 });

const form = (content: string, resources: string): PdfObject => [
  `/Type/XObject/Subtype/Form/BBox[0 0 600 900]/Resources<<${resources}>>`,
  content,
];

/** Small PDFs designed to exhaust memory or time, or to crash the process. */
export const hostilePdfs = {
  'a form that draws itself': pageOf('/A Do', '/XObject<</A 5 0 R>>', [form('/A Do /A Do', '/XObject<</A 5 0 R>>')]),
  'forms that multiply': pageOf(
    '/A Do',
    '/XObject<</A 5 0 R>>',
    Array.from({ length: 12 }, (_, level) =>
      form(`${'/A Do '.repeat(10)}0 0 9 9 re f`, `/XObject<</A ${6 + level} 0 R>>`),
    ),
  ),
  'a pattern of tiny tiles': pageOf('/Pattern cs /T scn 0 0 595 842 re f', '/Pattern<</T 5 0 R>>', [
    [
      '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 .01 .01]/XStep .001/YStep .001/Resources<<>>',
      '0 0 1 1 re f',
    ],
  ]),
  'patterns within patterns': pageOf(
    '/Pattern cs /T scn 0 0 595 842 re f',
    '/Pattern<</T 5 0 R>>',
    Array.from(
      { length: 8 },
      (_, level): PdfObject => [
        `/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 3 3]/XStep 1/YStep 1/Resources<</Pattern<</T ${6 + level} 0 R>>>>`,
        '/Pattern cs /T scn 0 0 3 3 re f',
      ],
    ),
  ),
  'a picture of 50000 by 50000': pictured(
    '/Width 50000/Height 50000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode',
    zeros(64),
  ),
  'a stream whose decompressed data never ends': pictured(
    '/Width 100/Height 100/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter[/FlateDecode/FlateDecode]',
    deflateSync(zeros(512)),
  ),
  'a page of enormous size': pageOf('0 0 1e9 1e9 re f', '', [], '[0 0 1000000000 1000000000]'),
  'a page without a size': pageOf('0 0 1 1 re f', '', [], '[0 0 0 0]'),
  'a page tree that contains itself': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 99999999/Kids[2 0 R 2 0 R]>>',
  ]),
  'a million references to one page': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count 1000000/Kids[${'3 0 R '.repeat(10_000)}]>>`,
    `<</Type/Page/Parent 2 0 R/MediaBox${a4}>>`,
  ]),
  'brackets without end': Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(200_000)}\nendobj\ntrailer<</Root 1 0 R>>`),
  'dictionaries without end': Buffer.from(
    `%PDF-1.7\n1 0 obj\n${'<</A'.repeat(200_000)}\nendobj\ntrailer<</Root 1 0 R>>`,
  ),
  'tables that refer to each other': Buffer.from(
    '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1/Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n',
  ),
  'a shading of a million steps': pageOf('/S sh', '/Shading<</S 5 0 R>>', [
    '<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Matrix[9999 0 0 9999 0 0]/Function 6 0 R>>',
    [
      '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]',
      `{ ${'2 copy mul sqrt 3 1 roll exch '.repeat(2000)} pop pop 0 0 0 }`,
    ],
  ]),
  'a line of a billion dashes': pageOf('[.00001 .00001] 0 d 1 w 0 0 m 1e7 1e7 l S '.repeat(50)),
  'a path that has very many segments': pageOf(`0 0 m ${'595 842 l 0 400 l 300 0 l '.repeat(30_000)} f*`),
  'endlessly nested graphics states': pageOf('q '.repeat(2_000_000)),
} as const satisfies Record<string, Buffer>;

/** A one-page PDF that qpdf encrypted with a user password (128-bit AES). */
export const encryptedPdf = readFileSync(new URL('encrypted.pdf', import.meta.url));

/** The hostile PDFs whose conversion takes almost as long as the time limit allows. */
export const slowPdfs: readonly string[] = [
  'a pattern of tiny tiles',
  'patterns within patterns',
  'a shading of a million steps',
];
