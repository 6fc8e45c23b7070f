import type { Dispatcher } from 'undici';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import { announcedStatus } from './connector.ts';

export interface Exchange {
  /** The status of the final response; undefined if no final response arrived. 1xx responses are not final. */
  readonly status?: number;
  readonly retryAfter?: string;
  readonly failure?: Outcome['class'];
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

function classOf(error: Error): Outcome['class'] {
  const code = codeOf(error);
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
      if (ownCodes.has(codeOf(error))) reject(error);
      end(classOf(error));
    },
  });
  return promise;
}
