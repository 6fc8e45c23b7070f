/** A line in Lambda's JSON log format; undefined for any other. */
export function parseLine(text: string): { level?: unknown; message?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
