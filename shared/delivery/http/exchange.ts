import type { Dispatcher } from 'undici';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import { blockedCode } from './address-guard.ts';
import { announcedStatus } from './connector.ts';

export interface Exchange {
  /** The status of the final response; undefined if no final response arrived. 1xx responses are not final. */
  readonly status?: number;
  readonly retryAfter?: string;
  readonly failure?: Outcome['class'];
  /** The error code from the operating system or the TLS library. */
  readonly code?: string;
  /** The beginning of the body of an error response; empty if responses are not kept. */
  readonly start: Buffer;
}

interface ExchangeOptions {
  /** The time limit for the DNS lookup, connection, headers and body together. */
  readonly timeoutMs: number;
  /** The number of bytes to return from the body of an error response; 0 by default. */
  readonly keptBytes?: number;
  /** Called when the connection is ready and the request has been written. */
  readonly onBegun?: (() => void) | undefined;
}

/** The maximum number of body bytes to read. undici limits headers to 16 KiB. */
const responseLimit = 64 * 1024;

/** The maximum time to wait for the beginning of a body that is too long to read completely. */
const startMs = 1000;

const classOfCode: Readonly<Record<string, Outcome['class']>> = {
  [blockedCode]: 'blocked',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
};

const isTlsCode = (code: string): boolean =>
  /^ERR_(TLS|SSL|OSSL)/.test(code) || /(CERT|SIGNATURE|ISSUER|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);

/**
 * Error codes for a lack of descriptors, ports or memory in our own process. The receiver never causes these errors.
 */
const ownCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM', 'EAI_MEMORY']);

// Omit codes of the HTTP client, such as `UND_ERR_SOCKET`, because they give subscribers no more information than the
// error class.
const isSystemCode = (code: string): boolean => /^E(?!RR_)[A-Z0-9_]+$/.test(code) || isTlsCode(code);

function classOf(code: string): Outcome['class'] {
  if (code.startsWith('EAI_')) return 'dns';
  return classOfCode[code] ?? (isTlsCode(code) ? 'tls' : 'connect');
}

/**
 * Sends a request and reads the response to its end, so that the connection can be reused. Destroys the socket if the
 * deadline passes or the body is too long. Does not decompress or follow redirects.
 * @throws if this process runs out of descriptors, ports or memory
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, keptBytes = 0, onBegun = () => {} }: ExchangeOptions,
): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let controller: Dispatcher.DispatchController | undefined;
  let answer: Omit<Exchange, 'start'> = {};
  let start: Buffer = Buffer.alloc(0);
  let mostKept = 0;
  let most = responseLimit;
  let bytes = 0;
  let isOver = false;

  const end = (failure?: Outcome['class'], code?: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    resolve({ ...answer, start, ...(failure && { failure }), ...(code && { code }) });
    if (failure !== undefined) controller?.abort(new Error(failure));
  };
  const timer = setTimeout(end, timeoutMs, 'timeout');

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      // The deadline passed before the connection was ready.
      if (isOver) started.abort(new Error('timeout'));
      else onBegun();
    },
    onResponseStart(_controller, status, headers) {
      const announced = headers[announcedStatus];
      if (announced !== undefined) answer = { status: Number(announced) };
      // Ignore all other 1xx responses, because they precede the final response.
      if (status < 200) return;
      const retryAfter = [headers['retry-after']].flat()[0];
      answer = { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
      if (status >= 300) mostKept = keptBytes;
      const isTooLong = Number(headers['content-length']) > responseLimit;
      if (!isTooLong) return;
      // Read only the beginning of a body that is too long, within a short time limit.
      most = mostKept;
      if (most === 0) end('too-large');
      else setTimeout(end, startMs, 'too-large').unref();
    },
    onResponseData(_controller, chunk) {
      if (start.length < mostKept) start = Buffer.concat([start, chunk.subarray(0, mostKept - start.length)]);
      bytes += chunk.length;
      if (bytes > most) end('too-large');
    },
    onResponseEnd: () => end(),
    onResponseError(_controller, error: NodeJS.ErrnoException) {
      const code = String(error.code ?? '');
      if (ownCodes.has(code)) reject(error);
      end(classOf(code), isSystemCode(code) ? code : undefined);
    },
  });
  return promise;
}
