import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import { exposeStatus } from './connector.ts';

interface ConnectOptions {
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
  /** Hears of every socket that is opened, before it is connected. */
  readonly onOpened: (socket: Socket) => void;
}

/** Makes the function that opens a connection: HTTP/1.1, certificates checked whatever the environment says. */
export function connector({ timeoutMs, lookup, onOpened }: ConnectOptions): buildConnector.connector {
  // undici's own time limit is rounded to about a second; ours is exact, and covers the look-up and the TLS handshake.
  const open = connectorOf({ allowH2: false, rejectUnauthorized: true, lookup, timeout: 0 });
  return (options, callback) => {
    // It answers the socket, which its type does not say.
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
