import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Value } from './expressions/values.ts';

// A number uses one byte for every two digits, plus one byte ("Item sizes and formats" in the DynamoDB developer
// guide).
const numberBytes = (text: string): number =>
  Math.min(21, Math.ceil(text.replace(/^-|\.|e.*$/gi, '').replace(/^0+/, '').length / 2) + (text[0] === '-' ? 2 : 1));

const bytesOf = (texts: Iterable<Value>): number => {
  let bytes = 3;
  for (const one of texts) bytes += valueSize(one) + 1;
  return bytes;
};

function valueSize(value: Value): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.B !== undefined) return value.B.length;
  if (value.L !== undefined) return bytesOf(value.L);
  if (value.M !== undefined) return itemSize(value.M) + Object.keys(value.M).length + 3;
  return 0;
}

export function itemSize(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += name.length + valueSize(item[name] as Value);
  return bytes;
}

/** The maximum size of an item in bytes, including attribute names. */
export const maxItemBytes = 400 * 1024;

/** The maximum size of a page of a Query or Scan, in bytes. */
export const maxPageBytes = 1024 * 1024;

export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

/**
 * Returns the read units for a number of bytes. An eventually consistent read costs half as much as a consistent read.
 */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
