import type { Socket } from 'node:net';

/** The header by which `exposeStatus` announces a status; no receiver knows its name. */
export const announcedStatus = `status-${crypto.randomUUID()}`;

const statusLine = /^HTTP\/1\.[01] (\d)(\d\d)[ \r]/;
const statusBytes = 'HTTP/1.1 200 '.length;
const endOfHead = '\r\n\r\n';
const none = Buffer.alloc(0);

// A head that stands in one read, and is far from more than undici takes, undici tells of by itself.
const ordinaryBytes = 8 * 1024;
// As much as undici takes for headers.
const interimLimit = 16 * 1024;

const announcement = (status: string): Buffer =>
  Buffer.from(`HTTP/1.1 103 Early Hints\r\n${announcedStatus}: ${status}${endOfHead}`);

/** Reads the heads of one answer as its bytes come, and answers what undici is to read in their place. */
function headsOfAnswer(onTooMany: () => void): (bytes: Buffer) => Buffer {
  let state: 'status' | 'interim' | 'rest' = 'status';
  let held: Buffer = none;
  let passedOver = 0;

  /** Takes the head of a 1xx away, as far as it has come; true once it has ended. */
  function passOver(): boolean {
    const end = held.indexOf(endOfHead);
    // Its end may come in two parts.
    const length = end >= 0 ? end + endOfHead.length : Math.max(0, held.length - endOfHead.length + 1);
    held = held.subarray(length);
    passedOver += length;
    if (passedOver > interimLimit) onTooMany();
    return end >= 0;
  }

  /** Reads a status line, and answers what undici is to read before it; undefined at 1xx. */
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
    while (state === 'status' || passOver()) {
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
 * Lets undici say the status of an answer as soon as it has come. Of one whose headers stop, or are too many, it would never
 * say it, and at `100 Continue`, which RFC 9110 (section 15.2) has a client take unasked, it breaks off: so it does not see
 * 1xx, and a status whose headers are still to come is announced by a 103 of ours before it.
 */
export function exposeStatus(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const breakOff = () => socket.destroy(Object.assign(new Error('too many 1xx'), { code: 'UND_ERR_HEADERS_OVERFLOW' }));
  let pass = headsOfAnswer(breakOff);
  let written: number | undefined;
  socket.read = () => {
    const bytes = read();
    if (bytes === null) return null;
    // A connection serves one request at a time: what was written since is the next one.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      pass = headsOfAnswer(breakOff);
    }
    const passed = pass(bytes);
    return passed.length === 0 ? null : passed;
  };
}
