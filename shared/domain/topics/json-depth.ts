const [quote, backslash] = [0x22, 0x5c];
const opening: readonly number[] = [0x5b, 0x7b];
const closing: readonly number[] = [0x5d, 0x7d];

/**
 * Whether arrays and objects of a JSON text are nested deeper than so many levels: `[]` is one. In one pass without
 * recursion, so that no text can exhaust the stack.
 */
export function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (opening.includes(code)) depth++;
    else if (closing.includes(code)) depth--;
    if (depth > levels) return true;
  }
  return false;
}
