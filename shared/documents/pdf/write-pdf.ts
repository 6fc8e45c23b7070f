export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  /** The resolution in dots per inch; if undefined, the picture is scaled to fit A4. */
  readonly dpi: number | undefined;
  /** The other entries of the image dictionary: filter, colour space, bits (ISO 32000-1, 8.9.5). */
  readonly coding: string;
  readonly data: Uint8Array;
}

const a4 = { short: 595.28, long: 841.89 };

function pageSize({ width, height, dpi }: PdfPicture): [width: number, height: number] {
  const fits = Math.min(1, a4.short / Math.min(width, height), a4.long / Math.max(width, height));
  const scale = dpi === undefined ? fits : 72 / dpi;
  // PDF readers accept pages of 3 to 14,400 points (ISO 32000-1, annex C).
  const points = (pixels: number): number => Math.min(14_400, Math.max(3, Number((pixels * scale).toFixed(2))));
  return [points(width), points(height)];
}

/** Writes a PDF 1.5 with one picture per page. */
export function writePdf(pictures: readonly PdfPicture[]): Buffer {
  const chunks: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (data: string | Uint8Array): void => {
    const chunk = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
    chunks.push(chunk);
    length += chunk.length;
  };
  const object = (number: number, dictionary: string, stream?: string | Uint8Array): void => {
    offsets[number] = length;
    write(`${number} 0 obj\n${dictionary}\n`);
    if (stream !== undefined) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  // Object 1 is the catalogue, and object 2 is the page tree. Each page adds three objects: a page, its content and a
  // picture.
  const pages = pictures.map((_, index) => `${3 + 3 * index} 0 R`);
  write('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n');
  object(1, '<</Type/Catalog/Pages 2 0 R>>');
  object(2, `<</Type/Pages/Count ${pages.length}/Kids[${pages.join(' ')}]>>`);
  for (const [index, picture] of pictures.entries()) {
    const number = 3 + 3 * index;
    const [width, height] = pageSize(picture);
    const content = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`;
    const resources = `<</XObject<</P ${number + 2} 0 R>>>>`;
    const links = `/Parent 2 0 R/Contents ${number + 1} 0 R/Resources${resources}`;
    object(number, `<</Type/Page/MediaBox[0 0 ${width} ${height}]${links}>>`);
    object(number + 1, `<</Length ${content.length}>>`, content);
    const size = `/Width ${picture.width}/Height ${picture.height}/Length ${picture.data.length}`;
    object(number + 2, `<</Type/XObject/Subtype/Image${size}${picture.coding}>>`, picture.data);
  }
  const start = length;
  const entries = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${entries.join('')}`);
  write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(chunks);
}
