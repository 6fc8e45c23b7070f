import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Value = AttributeValue;

// DynamoDB computes with 38 digits. Doubles are exact only up to 15 digits, so longer whole numbers are converted to
// big integers.
const isExact = (text: string): boolean => text.length < 16;
const isWhole = (text: string): boolean => /^-?\d+$/.test(text);

function compareNumbers(a: string, b: string): number {
  if ((isExact(a) && isExact(b)) || !isWhole(a) || !isWhole(b)) return Number(a) - Number(b);
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function sum(a: string, b: string): string {
  if ((isExact(a) && isExact(b)) || !isWhole(a) || !isWhole(b)) return String(Number(a) + Number(b));
  return String(BigInt(a) + BigInt(b));
}

// DynamoDB sorts strings in UTF-8 order, in which characters above U+FFFF come last. In UTF-16 order, characters above
// U+FFFF come before U+E000.
const shifted = (unit: string): string =>
  String.fromCharCode(unit.charCodeAt(0) >= 0xe000 ? unit.charCodeAt(0) - 0x800 : unit.charCodeAt(0) + 0x2000);

/** Returns a string that JavaScript sorts in the order in which DynamoDB sorts the original string. */
export const orderKey = (text: string): string => text.replace(/[\ud800-\uffff]/g, shifted);

const compareTexts = (a: string, b: string): number => {
  const [left, right] = [orderKey(a), orderKey(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Compares two values of the same type. Returns undefined if the types differ or have no order. */
export function compare(a: Value, b: Value): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareTexts(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  if (a.B !== undefined && b.B !== undefined) return Buffer.compare(a.B, b.B);
  return undefined;
}

/** Returns whether two values have the same type and are equal. */
export function isEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.S !== undefined) return a.S === b.S;
  if (a.N !== undefined) return b.N !== undefined && (a.N === b.N || compareNumbers(a.N, b.N) === 0);
  if (a.BOOL !== undefined) return a.BOOL === b.BOOL;
  if (a.NULL !== undefined) return b.NULL !== undefined;
  if (a.B !== undefined) return b.B !== undefined && Buffer.compare(a.B, b.B) === 0;
  if (a.L !== undefined) {
    const { L } = b;
    return L !== undefined && a.L.length === L.length && a.L.every((one, index) => isEqual(one, L[index] as Value));
  }
  if (a.M !== undefined) {
    const { M } = b;
    if (M === undefined) return false;
    const names = Object.keys(a.M);
    const isAlike = (name: string) => M[name] !== undefined && isEqual(a.M?.[name] as Value, M[name]);
    return names.length === Object.keys(M).length && names.every(isAlike);
  }
  return false;
}

export function beginsWith(whole: Value, start: Value): boolean {
  if (whole.S !== undefined) return start.S !== undefined && whole.S.startsWith(start.S);
  const { B } = start;
  return whole.B !== undefined && B !== undefined && Buffer.compare(whole.B.subarray(0, B.length), B) === 0;
}

/** Implements the expression function `size`. Returns undefined if the type has no size. */
export function sizeOf(value: Value): number | undefined {
  if (value.M !== undefined) return Object.keys(value.M).length;
  return (value.S ?? value.B ?? value.L)?.length;
}
