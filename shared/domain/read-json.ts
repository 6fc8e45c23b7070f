import { ClientError } from './client-errors.ts';
import { quoteName } from './quote-name.ts';

const deepest = 32;
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * Rejects valid JSON that is nested too deeply or repeats a key. The meaning of a repeated key is undefined (RFC 8259
 * section 4).
 */
function checkShape(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    if (token === '}' || token === ']') open.pop();
    if (open.length > deepest)
      throw new ClientError('malformedJson', `the body is nested deeper than ${deepest} levels`);
    if (token === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) throw new ClientError('malformedJson', `the key ${quoteName(key)} is repeated`);
      keys?.add(key);
    }
    last = token;
  }
}

// Returns only the position of the error, because the parser's message quotes the body.
const placeOf = (error: unknown): string => {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String((error as Error).message)) ?? [];
  return line === undefined ? '' : `; the error is in line ${line}, column ${column}`;
};

/**
 * Parses a JSON text. Rejects repeated keys and nesting of more than 32 levels. Treats `__proto__` like any other key.
 * @throws ClientError `malformedJson`
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ClientError('malformedJson', `the body must be JSON (RFC 8259), in UTF-8${placeOf(error)}`);
  }
  checkShape(text);
  return value;
}
