import type { Dispatcher } from 'undici';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import { announcedStatus } from './connector.ts';

export interface Exchange {
  /** The status of the final response; undefined if no final response arrived. 1xx responses are not final. */
  readonly status?: number;
  readonly retryAfter?: string;
  readonly failure?: Outcome['class'];
  /** The system's code of the failure. */
  readonly code?: string;
}

/** The maximum number of body bytes to read. undici limits headers to 16 KiB. */
const responseLimit = 64 * 1024;

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

/** Error codes for shortages in our own process (descriptors, ports, memory), which are never the receiver's fault. */
const ownCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM', 'EAI_MEMORY']);

const codeOf = (error: Error): string => String((error as { code?: unknown }).code ?? '');

// Codes of our HTTP client (`UND_ERR_SOCKET`, `ERR_ASSERTION`) tell a subscriber no more than the class.
const isSystemCode = (code: string): boolean => /^E(?!RR_)[A-Z0-9_]+$/.test(code) || isTlsCode(code);

function classOf(code: string): Outcome['class'] {
  if (code.startsWith('EAI_')) return 'dns';
  return classOfCode[code] ?? (isTlsCode(code) ? 'tls' : 'connect');
}

/**
 * Sends a request and reads the response to its end, so that the connection can be reused. Destroys the socket at the
 * deadline or if the body is too long. Does not decompress or follow redirects.
 * @param timeoutMs the time for the DNS lookup, connection, headers and body
 * @param onBegun called when the connection is ready and the request is written
 * @throws if this process runs out of descriptors, ports or memory
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

  const end = (failure?: Outcome['class'], code?: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    resolve({ ...answer, ...(failure && { failure }), ...(code && { code }) });
    if (failure !== undefined) controller?.abort(new Error(failure));
  };
  const timer = setTimeout(end, timeoutMs, 'timeout');

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      // The connection became ready after the deadline.
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
      if (Number(headers['content-length']) > responseLimit) end('too-large');
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
      if (bytes > responseLimit) end('too-large');
    },
    onResponseEnd: () => end(),
    onResponseError(_controller, error) {
      const code = codeOf(error);
      if (ownCodes.has(code)) reject(error);
      const failure = classOf(code);
      end(failure, isSystemCode(code) ? code : undefined);
    },
  });
  return promise;
}
