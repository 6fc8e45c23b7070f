import { deliveryAttempted, deliveryFailed, tokenRefused } from '../../../shared/contract/log-lines.ts';
import { clientErrors } from '../../../shared/domain/client-errors.ts';
import type { Failure } from '../aws/functions/sandbox-protocol.ts';
import { parseLine, type StackEvent } from './events.ts';
import type { Paint } from './terminal.ts';

type Request = Extract<StackEvent, { kind: 'request' }>;
type Fields = Readonly<Record<string, unknown>>;

const nameOfCode = new Map<number, string>(Object.entries(clientErrors).map(([name, { code }]) => [code, name]));

// Log messages that are not printed, because the line for the request contains the same information.
const shownByRequest = ['answered', 'refused'];

// Fields that are not printed at the end of a line, because they are either omitted or printed at the start of the
// line.
const leading = new Set([
  'message',
  'operation',
  'worker',
  'job',
  'class',
  'status',
  'code',
  'milliseconds',
  'attempt',
  'error',
  'reason',
  'bundle',
  'at',
]);

/** Returns the first four stack frames in the project's own code, or in any code if there are no such frames. */
function nearest(places: readonly string[]): readonly string[] {
  const own = places.filter((place) => !place.includes('node_modules/'));
  return (own.length > 0 ? own : places).slice(0, 4);
}

/**
 * Returns a function that formats an event as a line. The function returns undefined for events that are not printed.
 */
export function createConsole(paint: Paint) {
  const tone = (status: number) => (status < 400 ? paint.green : status < 500 ? paint.yellow : paint.red);
  const clock = (at: Date): string => paint.dim(at.toISOString().slice(11, 23));
  const join = (...parts: (string | undefined | false)[]): string => parts.filter(Boolean).join('  ');
  const took = (milliseconds: unknown): string | false => Number.isFinite(milliseconds) && `${milliseconds} ms`;
  const ids = (fields: Fields): string => {
    const rest = Object.entries(fields).filter(
      ([name, value]) => !leading.has(name) && value !== undefined && value !== '',
    );
    const words = rest.map(
      ([name, value]) => `${name === 'messageId' ? 'message' : name === 'requestId' ? 'request' : name} ${value}`,
    );
    return paint.dim(words.join('  '));
  };
  const places = (at: readonly string[]): string =>
    nearest(at)
      .map((place) => `\n    ${paint.dim(place)}`)
      .join('');

  function request({ method, path = 'no such route', status, milliseconds, requestId, code }: Request): string {
    const end = status === undefined ? paint.yellow('left') : tone(status)(String(status));
    const refusal = code === undefined ? undefined : nameOfCode.get(code);
    return join(
      `${method} ${path}`,
      end,
      took(milliseconds),
      refusal && tone(status ?? 0)(refusal),
      ids({ requestId }),
    );
  }

  function failure(functionName: string, { errorType, errorMessage, trace = [] }: Failure): string | undefined {
    // An authorizer rejects an invalid token with the message `Unauthorized`. The terminal already shows a line for the
    // request.
    if (errorMessage === 'Unauthorized') return undefined;
    // Error messages from the runtime and messages of internal errors are safe to show. All other error messages may
    // contain personal data.
    const reason = /^(?:(?:Sandbox|Runtime|Function)\.|InternalError$)/.test(errorType) && errorMessage;
    // Removes the error message from the stack trace, because lines in the message may look like stack frames.
    const lines = trace.join('\n').replace(errorMessage, '').split('\n');
    const at = lines.filter((line) => /^\s+at /.test(line));
    return paint.red(join(functionName, 'failed', errorType, reason)) + places(at.map((line) => line.trim()));
  }

  function entry(functionName: string, level: unknown, fields: Fields): string | undefined {
    const { message, error, reason, at, status, code, milliseconds, attempt } = fields;
    if (shownByRequest.includes(String(message))) return undefined;
    if (level === 'ERROR') {
      const first = paint.red(
        join(
          functionName,
          String(message),
          error !== undefined && String(error),
          reason !== undefined && String(reason),
        ),
      );
      const found = typeof at === 'string' && at !== '' ? at.split(' < ') : [];
      return join(first, ids(fields)) + places(found);
    }
    const counts = Object.entries(fields).filter(([name]) => name !== 'message' && name !== 'job');
    // Skips runs of jobs that did no work, because scheduled jobs would otherwise add a line every minute.
    if (message === 'performed' && counts.every(([, count]) => count === 0)) return undefined;
    const isGood =
      message === deliveryAttempted
        ? fields.class === 'delivered'
        : message !== deliveryFailed && message !== tokenRefused;
    const verb = message === deliveryAttempted ? (isGood ? '' : 'failed:') : String(message);
    const words = [verb, fields.class, status, code, reason === undefined ? '' : `(${reason})`].filter(
      (word) => word !== undefined && word !== '',
    );
    const outcome = isGood ? words.join(' ') : paint.yellow(words.join(' '));
    return join(
      functionName,
      outcome,
      took(milliseconds),
      typeof attempt === 'number' && `attempt ${attempt + 1}`,
      ids(fields),
    );
  }

  function line(functionName: string, text: string): string | undefined {
    const parsed = parseLine(text);
    if (typeof parsed?.message !== 'object' || parsed.message === null) {
      return join(functionName, typeof parsed?.message === 'string' ? parsed.message : text);
    }
    return entry(functionName, parsed.level, parsed.message as Fields);
  }

  return (event: StackEvent, at: Date): string | undefined => {
    // The terminal does not show metrics, which are intended for CloudWatch and for programs.
    if (event.kind === 'metrics') return undefined;
    const text =
      event.kind === 'code'
        ? join('code', (event.isBroken ? paint.red : paint.green)(event.message))
        : event.kind === 'request'
          ? request(event)
          : event.kind === 'failure'
            ? failure(event.functionName, event.failure)
            : line(event.functionName, event.line);
    return text && `${clock(at)}  ${text}`;
  };
}
