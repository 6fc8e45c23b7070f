import type { Dispatcher } from 'undici';
import type { Outcome } from '../../model/deliveries/outcome.ts';
import { announcedStatus } from './connector.ts';

/** A request and what came of it. */
export interface Exchange {
  /** Undefined when no answer began; 1xx is none. */
  readonly status?: number;
  readonly retryAfter?: string;
  /** Why the answer did not come to its end. */
  readonly failure?: Outcome['class'];
}

/** Bytes of an answer's body that are read at most. Its headers may take 16 KiB beside, which is undici's limit. */
const answerLimit = 64 * 1024;

const classOfCode: Readonly<Record<string, Outcome['class']>> = {
  ERR_ADDRESS_BLOCKED: 'blocked',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
};

const isTlsCode = (code: string): boolean =>
  /^ERR_(TLS|SSL|OSSL)/.test(code) || /(CERT|SIGNATURE|ISSUER|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);

/** What our own process ran out of: descriptors, ports, memory. No receiver is to blame for it. */
const ourCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM', 'EAI_MEMORY']);

const codeOf = (error: Error): string => String((error as { code?: unknown }).code ?? '');

function classOf(error: Error): Outcome['class'] {
  const code = codeOf(error);
  if (code.startsWith('EAI_')) return 'dns';
  return classOfCode[code] ?? (isTlsCode(code) ? 'tls' : 'connect');
}

/**
 * Sends a request and reads the answer to its end, so that the connection can serve again. Past the deadline, or beyond
 * what we read, the socket is destroyed. Nothing is decompressed, and no redirect is followed.
 * @param timeoutMs for everything together: look-up, connection, headers and body
 * @param onBegun called once there is a connection for the request, and it is written
 * @throws when our own process has no descriptor, port or memory left for it
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
  onBegun: () => void = () => {},
): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let controller: Dispatcher.DispatchController | undefined;
  let answer: Exchange = {};
  let bytes = 0;
  let isOver = false;

  const end = (failure?: Outcome['class']): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    resolve(failure === undefined ? answer : { ...answer, failure });
    if (failure !== undefined) controller?.abort(new Error(failure));
  };
  const timer = setTimeout(end, timeoutMs, 'timeout');

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      // The connection came too late for it.
      if (isOver) started.abort(new Error('timeout'));
      else onBegun();
    },
    onResponseStart(_controller, status, headers) {
      const announced = headers[announcedStatus];
      if (announced !== undefined) answer = { status: Number(announced) };
      // What else is 1xx only announces the answer.
      if (status < 200) return;
      const retryAfter = [headers['retry-after']].flat()[0];
      answer = { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
      if (Number(headers['content-length']) > answerLimit) end('too-large');
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
      if (bytes > answerLimit) end('too-large');
    },
    onResponseEnd: () => end(),
    onResponseError(_controller, error) {
      if (ourCodes.has(codeOf(error))) reject(error);
      end(classOf(error));
    },
  });
  return promise;
}
