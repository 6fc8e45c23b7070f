/** A line in Lambda's JSON log format, or of metrics; undefined for any other. */
export function parseLine(text: string): { level?: unknown; message?: unknown; _aws?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether CloudWatch reads metrics of the line, and nobody else need: it is in the embedded metric format. */
export const tellsMetrics = (text: string): boolean => text.startsWith('{"_aws":') && parseLine(text) !== undefined;
