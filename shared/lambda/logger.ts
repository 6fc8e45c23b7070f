import { bundleVariable, faultLogged } from '../contract/log-lines.ts';
import { Fault, faults } from '../model/faults.ts';
import { addMetric } from './emit-metrics.ts';
import { processEnvironment } from './environment.ts';

/** Ids only: no attribute value, address, token or body ever stands in a log line. */
type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One structured line: Lambda's JSON log format writes the object, the time, the level and the request id. */
export const logInfo = (message: string, fields: LogFields): void => console.info({ message, ...fields });

/** The same at level WARN: for what an operator may want to mend, and no alarm counts. */
export const logWarning = (message: string, fields: LogFields): void => console.warn({ message, ...fields });

/** The same at a level that Lambda drops unless told otherwise: for what happens too often to be paid for. */
export const logDebug = (message: string, fields: LogFields): void => console.debug({ message, ...fields });

function nameOf(error: unknown): string {
  if (error instanceof Fault) return error.fault;
  return error instanceof Error ? error.name : typeof error;
}

// How services say it, each a little differently; what comes after it may be the name of an object, which names a person.
const notAuthorized = /not authorized to perform:? [`']?([\w-]+:\w+)/;

/**
 * The code of an error of the system (`ECONNREFUSED`), what AWS answered, and the action that IAM refused: all that is safe of a
 * foreign error.
 */
function codesOf(error: unknown): LogFields {
  const { code, message, $metadata } = Object(error) as {
    code?: unknown;
    message?: unknown;
    $metadata?: { httpStatusCode?: number; requestId?: string };
  };
  return {
    ...(typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && { code }),
    ...($metadata && { denied: notAuthorized.exec(String(message))?.[1] }),
    ...($metadata && { awsStatus: $metadata.httpStatusCode, awsRequestId: $metadata.requestId }),
  };
}

/** The codes of several errors, each with its number from the second on: of two failed writes both are told. */
const codesOfAll = (errors: readonly unknown[]): LogFields =>
  Object.fromEntries(
    errors.flatMap((error, index) =>
      Object.entries(codesOf(error)).map(([name, value]) => [index === 0 ? name : `${name}${index + 1}`, value]),
    ),
  );

/** The kinds of the errors that a fault came from. */
function causeOf({ cause }: Fault): LogFields {
  if (cause === undefined) return {};
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return { cause: causes.map(nameOf).join(', '), ...codesOfAll(causes) };
}

const toldOf = (fault: Fault): LogFields => ({
  reason: faults[fault.fault].message,
  ...fault.ids,
  ...causeOf(fault),
});

// The SDK's own calls take the first ten places, which is Node's usual limit: ours come after them.
Error.stackTraceLimit = 30;

/** The places of an error's stack in what we deploy; it begins with the message, which may have lines like places. */
function placesOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  const places = stack.split('\n').filter((at) => /^\s+at /.test(at) && !/node:internal|\/var\/runtime\//.test(at));
  return places.map((place) => place.trim()).join(' < ');
}

/**
 * Our own fault, once. A Fault tells its name as `error`, its message of the catalogue as `reason`, its ids and the kind of
 * its cause; any other error its kind only, for its message may quote data, and where AWS answered, status and request id.
 * `at` is the place in the bundle; `npm run -s trace` finds the source line by it and the bundle's hash.
 * @param message `faultLogged` where it counts as one of the metric `Faults`, which alarms watch
 */
export function logFault(message: string, error: unknown, fields: LogFields): void {
  if (message === faultLogged) addMetric('Faults');
  const told = error instanceof Fault ? toldOf(error) : codesOf(error);
  const bundle = processEnvironment()[bundleVariable];
  console.error({ message, ...fields, error: nameOf(error), ...told, bundle, at: placesOf(error) });
}
