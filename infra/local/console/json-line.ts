import type { StackEvent } from './events.ts';
import { parseLine } from './parse-line.ts';

/** The event as one JSON object, for programs: its `kind` first, then its fields, or those of what a function logged. */
export function jsonLine({ kind, ...event }: StackEvent): string {
  if (!('functionName' in event)) return JSON.stringify({ kind, ...event });
  const { functionName, ...rest } = event;
  const { _aws, ...fields } =
    'failure' in rest ? { ...rest.failure, _aws: undefined } : (parseLine(rest.line) ?? { message: rest.line });
  return JSON.stringify({ kind, function: functionName, ...fields });
}
