import { bundleVariable, internalErrorLogged } from '../contract/log-lines.ts';
import { InternalError, internalErrors } from '../domain/internal-errors.ts';
import { addMetric } from './emit-metrics.ts';
import { processEnvironment } from './environment.ts';

/** The fields of a log line. No field contains an attribute value, an address, a token or a body. */
type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Logs one structured line. Lambda's JSON log format adds the time, the level and the request id. */
export const logInfo = (message: string, fields: LogFields): void => console.info({ message, ...fields });

/** Logs at level WARN, which informs operators but does not raise an alarm. */
export const logWarning = (message: string, fields: LogFields): void => console.warn({ message, ...fields });

/** Logs at level DEBUG, which Lambda drops by default because DEBUG lines are frequent. */
export const logDebug = (message: string, fields: LogFields): void => console.debug({ message, ...fields });

function nameOf(error: unknown): string {
  if (error instanceof InternalError) return error.errorName;
  return error instanceof Error ? error.name : typeof error;
}

// The wording of access-denied errors differs between AWS services. The text after the denied action may contain an
// object name that identifies a person.
const notAuthorized = /not authorized to perform:? [`']?([\w-]+:\w+)/;

/**
 * Returns the parts of an external error that are safe to log: system code (`ECONNREFUSED`), AWS status, AWS request
 * id, and denied IAM action.
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

/** Returns the codes of several errors. From the second error on, field names end with the error's number. */
const codesOfAll = (errors: readonly unknown[]): LogFields =>
  Object.fromEntries(
    errors.flatMap((error, index) =>
      Object.entries(codesOf(error)).map(([name, value]) => [index === 0 ? name : `${name}${index + 1}`, value]),
    ),
  );

function causeOf({ cause }: InternalError): LogFields {
  if (cause === undefined) return {};
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return { cause: causes.map(nameOf).join(', '), ...codesOfAll(causes) };
}

// Calls inside the SDK can use up Node's default limit of ten stack frames, so that our own code would not appear.
Error.stackTraceLimit = 30;

/** Returns the stack frames in deployed code, but no lines of the message that look like stack frames. */
function placesOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  const places = stack.split('\n').filter((at) => /^\s+at /.test(at) && !/node:internal|\/var\/runtime\//.test(at));
  return places.map((place) => place.trim()).join(' < ');
}

/**
 * Logs an error once. For an InternalError, the line contains the error's name, message and ids, and the kind of its
 * cause. For any other error, the line contains only the kind and the codes, because error messages may quote data. The
 * script trace translates the `at` field, a position in the bundle, to a position in the source code.
 * @param message `internalErrorLogged` if the `Faults` metric, which raises alarms, must count the error
 */
export function logError(message: string, error: unknown, fields: LogFields): void {
  if (message === internalErrorLogged) addMetric('Faults');
  const details =
    error instanceof InternalError
      ? { reason: internalErrors[error.errorName].message, ...error.ids, ...causeOf(error) }
      : codesOf(error);
  const bundle = processEnvironment()[bundleVariable];
  console.error({ message, ...fields, error: nameOf(error), ...details, bundle, at: placesOf(error) });
}
