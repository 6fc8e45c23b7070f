import { bundleVariable } from '../contract/log-lines.ts';
import { processEnvironment } from './environment.ts';

/** Ids only: no attribute value, address, token or body ever stands in a log line. */
type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One structured line: Lambda's JSON log format writes the object, the time, the level and the request id. */
export const logInfo = (message: string, fields: LogFields): void => console.info({ message, ...fields });

/** The same at a level that Lambda drops unless told otherwise: for what happens too often to be paid for. */
export const logDebug = (message: string, fields: LogFields): void => console.debug({ message, ...fields });

/**
 * Our own fault, once: the error's kind and the place in our code, not its message, which may quote data. The place is one of
 * the bundle; `npm run -s trace` finds the source line by it and the bundle's hash.
 */
export function logFault(message: string, error: unknown, fields: LogFields): void {
  const name = error instanceof Error ? error.name : typeof error;
  // The stack begins with the message, which may have lines that look like places.
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  const places = stack.split('\n').filter((at) => /^\s+at /.test(at));
  const at = places
    .slice(0, 4)
    .map((place) => place.trim())
    .join(' < ');
  const bundle = processEnvironment()[bundleVariable];
  console.error({ message, ...fields, error: name, bundle, at });
}
