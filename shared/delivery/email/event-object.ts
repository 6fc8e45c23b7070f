// What a number cannot hold exactly may be the digits of a name: it stays as it was written.
const asWritten = (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && String(value) !== source ? (source ?? value) : value;

/**
 * An event that is a JSON object, with numbers as they were written.
 * @returns undefined where it is anything else
 * @throws RangeError where it is nested too deep to be looked at
 */
export function eventObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''), asWritten);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return parsed as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
