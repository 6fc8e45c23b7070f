/** The number of bytes that detection needs. A PDF header may begin anywhere in the first 1,024 bytes. */
export const headBytes = 1024;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: file formats begin with such bytes
const signatures = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['tiff', /^(?:II[*+]\0|MM\0[*+])/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
  ['jpeg2000', /^(?:\0\0\0\x0cjP {2}\r\n\x87\n|\xff\x4f\xff\x51)/],
  ['avif', /^[\s\S]{4}ftypavi[fs]/],
  ['heic', /^[\s\S]{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/],
  ['pdf', /%PDF-\d/],
  ['svg', /^(?:\xef\xbb\xbf)?\s*<(?:[\s\S]*<)?svg[\s>]/i],
] as const;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: file formats begin with such bytes

export type StoredFormat = (typeof signatures)[number][0] | 'unknown';

/** Detects the format of a file from its first bytes, because Content-Type and file names cannot be trusted. */
export function detectFormat(bytes: Uint8Array): StoredFormat {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
  return signatures.find(([, signature]) => signature.test(head))?.[0] ?? 'unknown';
}
