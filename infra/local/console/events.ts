import { failureLine } from '../aws/functions/function-pool.ts';
import type { Failure } from '../aws/functions/sandbox-protocol.ts';

/**
 * Parses a log line in Lambda's JSON log format or in the embedded metric format. Returns undefined for other lines.
 */
export function parseLine(text: string): { level?: unknown; message?: unknown; _aws?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true for a log line in the embedded metric format, from which CloudWatch extracts metrics. */
export const isMetricsLine = (text: string): boolean => text.startsWith('{"_aws":') && parseLine(text) !== undefined;

/**
 * Formats an event as one JSON object. The object contains `kind`, followed by the event's own fields or the fields of
 * its log line.
 */
export function jsonLine({ kind, ...event }: StackEvent): string {
  if (!('functionName' in event)) return JSON.stringify({ kind, ...event });
  const { functionName, ...rest } = event;
  const { _aws, ...fields } =
    'failure' in rest ? { ...rest.failure, _aws: undefined } : (parseLine(rest.line) ?? { message: rest.line });
  return JSON.stringify({ kind, function: functionName, ...fields });
}

export type StackEvent =
  | {
      kind: 'request';
      method: string;
      /** The path template, because the values in a path may be personal data; undefined if no route matches. */
      path: string | undefined;
      /** The response status; undefined if the caller disconnected before the response was sent. */
      status: number | undefined;
      milliseconds: number;
      requestId: string;
      code?: number;
    }
  | { kind: 'log'; functionName: string; line: string }
  | { kind: 'metrics'; functionName: string; line: string }
  | { kind: 'code'; message: string; isBroken: boolean }
  | { kind: 'failure'; functionName: string; failure: Failure };

export type StackListener = (event: StackEvent) => void;

/** Formats an event as a log line with the function's name. Returns undefined for requests, which have no log line. */
export function logLine(event: StackEvent): string | undefined {
  if (event.kind === 'request') return undefined;
  if (event.kind === 'code') return `code: ${event.message}`;
  return `${event.functionName}: ${event.kind === 'failure' ? failureLine(event.failure) : event.line}`;
}
