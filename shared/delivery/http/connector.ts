import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';

interface ConnectOptions {
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
  readonly onOpened: (socket: Socket) => void;
}

/** Returns a function that opens HTTP/1.1 connections and always checks certificates. */
export function connector({ timeoutMs, lookup, onOpened }: ConnectOptions): buildConnector.connector {
  // undici's own timeout is accurate only to about a second. The timer below is exact, and covers the DNS lookup and
  // the TLS handshake.
  const open = connectorOf({ allowH2: false, rejectUnauthorized: true, lookup, timeout: 0 });
  return (options, callback) => {
    // The `open` function returns the socket, although its type does not declare a return value.
    const socket = open(options, (...result) => {
      clearTimeout(timer);
      callback(...result);
    }) as unknown as Socket;
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    exposeStatus(socket);
    onOpened(socket);
  };
}

/**
 * The header that contains the real status in a synthetic 103 response. Receivers cannot send this header, because its
 * name is random.
 */
export const announcedStatus = `status-${crypto.randomUUID()}`;

const statusLine = /^HTTP\/1\.[01] (\d)(\d\d)[ \r]/;
const statusBytes = 'HTTP/1.1 200 '.length;
const endOfHead = '\r\n\r\n';
const none = Buffer.alloc(0);

// No synthetic response is needed if the response head arrives in one read and is much shorter than undici's limit.
const ordinaryBytes = 8 * 1024;
const interimLimit = 16 * 1024;

const announcement = (status: string): Buffer =>
  Buffer.from(`HTTP/1.1 103 Early Hints\r\n${announcedStatus}: ${status}${endOfHead}`);

/** Returns a function that parses response heads as they arrive, and returns the bytes to pass on to undici. */
function responseHeads(onTooMany: () => void): (bytes: Buffer) => Buffer {
  let state: 'status' | 'interim' | 'rest' = 'status';
  let held: Buffer = none;
  let skippedBytes = 0;

  /** Skips the received part of a 1xx head. Returns true once the head is complete. */
  function skipInterimHead(): boolean {
    const end = held.indexOf(endOfHead);
    // The end of the head may be split between two reads.
    const length = end >= 0 ? end + endOfHead.length : Math.max(0, held.length - endOfHead.length + 1);
    held = held.subarray(length);
    skippedBytes += length;
    if (skippedBytes > interimLimit) onTooMany();
    return end >= 0;
  }

  /** Parses the status line. Returns the bytes to insert before the status line; undefined to skip a 1xx head. */
  function readStatus(): Buffer | undefined {
    const [, kind, more] = statusLine.exec(held.toString('latin1', 0, statusBytes)) ?? [];
    state = kind === '1' && more !== '01' ? 'interim' : 'rest';
    if (state === 'interim') return undefined;
    if (kind === undefined || kind === '1') return none;
    const end = held.indexOf(endOfHead);
    return end >= 0 && end < ordinaryBytes ? none : announcement(`${kind}${more}`);
  }

  function pass(bytes: Buffer): Buffer {
    if (state === 'rest') return bytes;
    held = Buffer.concat([held, bytes]);
    while (state === 'status' || skipInterimHead()) {
      state = 'status';
      if (held.length < statusBytes) return none;
      const before = readStatus();
      if (before !== undefined) return Buffer.concat([before, held]);
    }
    return none;
  }
  return pass;
}

/**
 * Makes undici report the status of a response as soon as it arrives. If the headers stall or are too long, undici
 * never reports the status, so a synthetic 103 response contains the status. In addition, undici fails if it receives
 * an unrequested `100 Continue`, which clients must accept (RFC 9110 section 15.2). Therefore, all 1xx responses from
 * the receiver are hidden from undici.
 */
function exposeStatus(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const breakOff = () => socket.destroy(Object.assign(new Error('too many 1xx'), { code: 'UND_ERR_HEADERS_OVERFLOW' }));
  let pass = responseHeads(breakOff);
  let written: number | undefined;
  socket.read = () => {
    const bytes = read();
    if (bytes === null) return null;
    // A connection handles one request at a time, so newly written bytes belong to the next request.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      pass = responseHeads(breakOff);
    }
    const passed = pass(bytes);
    return passed.length === 0 ? null : passed;
  };
}
