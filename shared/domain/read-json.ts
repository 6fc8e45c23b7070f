import { Refusal } from '../model/refusals.ts';

const deepest = 32;
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Walks the tokens of a valid JSON text: a key given twice in one object has no agreed meaning (RFC 8259 section 4). */
function checkShape(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    if (token === '}' || token === ']') open.pop();
    if (open.length > deepest) throw new Refusal('malformedJson', `the body is nested deeper than ${deepest} levels`);
    if (token === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) {
        throw new Refusal('malformedJson', `the key ${JSON.stringify(key.slice(0, 64).toWellFormed())} is given twice`);
      }
      keys?.add(key);
    }
    last = token;
  }
}

// The parser's message quotes the body, which nobody shall find in an answer: of it, the place alone.
const placeOf = (error: unknown): string => {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String((error as Error).message)) ?? [];
  return line === undefined ? '' : `; it is none from line ${line}, column ${column} on`;
};

/**
 * Reads a JSON text strictly: no key twice, at most 32 levels. A key `__proto__` is one like any other.
 * @throws Refusal `malformedJson`
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal('malformedJson', `the body must be JSON (RFC 8259), in UTF-8${placeOf(error)}`);
  }
  checkShape(text);
  return value;
}
