import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

function unpacked(bytes: Uint8Array): string {
  for (const unpack of [gunzipSync, inflateSync, brotliDecompressSync]) {
    try {
      return unpack(bytes).toString();
    } catch {
      // The bytes are not compressed, or their compression format is not supported.
    }
  }
  return Buffer.from(bytes).toString();
}

/** Returns all readable text in a value: names and values, including compressed, base64-encoded and JSON content. */
export function readable(value: unknown): string {
  if (value instanceof Uint8Array) return unpacked(value);
  if (value instanceof Set) return readable([...value]);
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().map(readable).join(' ');
  if (typeof value !== 'string') return String(value);
  const isJson = /^\s*[[{]/.test(value);
  const isBase64 = /^[\w+/-]{8,}={0,2}$/.test(value);
  return [
    value,
    ...(isJson ? [within(value)] : []),
    ...(isBase64 ? [unpacked(Buffer.from(value, 'base64'))] : []),
  ].join(' ');
}

function within(text: string): string {
  try {
    return readable(JSON.parse(text));
  } catch {
    return '';
  }
}
