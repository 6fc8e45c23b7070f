import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

interface RudeServer {
  readonly port: number;
  /** Every connection so far. */
  readonly sockets: readonly Socket[];
  /** Waits until the other side has closed every connection. */
  allClosed(): Promise<void>;
}

const servers = new Set<{ server: Server; sockets: readonly Socket[] }>();

/** They go with their test file too. */
export function closeRudeServers(): void {
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  servers.clear();
}

/** A server that speaks no HTTP of its own: what it does with a connection is the test's business. */
export async function startRudeServer(
  onConnection: (socket: Socket) => void,
  { tls, host = '127.0.0.1', port = 0 }: { tls?: { cert: string; key: string }; host?: string; port?: number } = {},
): Promise<RudeServer> {
  const sockets: Socket[] = [];
  const serve = (socket: Socket): void => {
    sockets.push(socket);
    // The client breaks connections off here; that is no news.
    socket.on('error', () => {});
    onConnection(socket);
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve).on('tlsClientError', () => {});
  server.listen(port, host);
  await once(server, 'listening');
  servers.add({ server, sockets });
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async allClosed() {
      await Promise.all(sockets.map((socket) => socket.closed || once(socket.resume(), 'close').catch(() => {})));
    },
  };
}

/** Waits for the request's first bytes, then writes; a function goes on from there. */
export const onceAsked =
  (answer: string | Uint8Array, more: (socket: Socket) => void = () => {}) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(answer);
      more(socket);
    });
  };

/** Answers each request of a connection, at its first bytes. */
export const eachTime =
  (answer: (socket: Socket) => unknown) =>
  (socket: Socket): void => {
    socket.on('data', (data) => void (String(data).startsWith('POST ') && answer(socket)));
  };

/** Writes the same again and again while the connection stands, as fast as it takes it. */
export const pour =
  (chunk: string | Uint8Array) =>
  (socket: Socket): void => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };

/** Writes the same every few milliseconds while the connection stands. */
export const drip =
  (chunk: string) =>
  (socket: Socket): void => {
    const timer = setInterval(() => socket.write(chunk), 20);
    socket.on('close', () => clearInterval(timer));
  };
