import { failureLine } from '../aws/functions/function-pool.ts';
import type { Failure } from '../aws/functions/sandbox-protocol.ts';

/** What happens in a running stack, for whoever shows it: a program gets what it needs to make one line of each. */
export type StackEvent =
  | {
      kind: 'request';
      method: string;
      /** With its placeholders, for the values are the caller's; undefined where there is no such route. */
      path: string | undefined;
      /** Undefined where the caller left before there was one. */
      status: number | undefined;
      milliseconds: number;
      requestId: string;
      /** Of the Error object that was answered. */
      code?: number;
    }
  /** A line that a function wrote. */
  | { kind: 'log'; functionName: string; line: string }
  /** The line by which a function tells its metrics. */
  | { kind: 'metrics'; functionName: string; line: string }
  /** What became of sources that were saved. */
  | { kind: 'code'; message: string; isBroken: boolean }
  /** A call of a function that ended without a result. */
  | { kind: 'failure'; functionName: string; failure: Failure };

export type StackListener = (event: StackEvent) => void;

/** The event as one line of the log, prefixed with the function's name; a request is none. */
export function logLine(event: StackEvent): string | undefined {
  if (event.kind === 'request') return undefined;
  if (event.kind === 'code') return `code: ${event.message}`;
  return `${event.functionName}: ${event.kind === 'failure' ? failureLine(event.failure) : event.line}`;
}
