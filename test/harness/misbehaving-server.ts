import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

interface MisbehavingServer {
  readonly port: number;
  /** All connections since the start. */
  readonly sockets: readonly Socket[];
  /** Waits until the client has closed every connection. */
  allClosed(): Promise<void>;
}

const servers = new Set<{ server: Server; sockets: readonly Socket[] }>();

/** Closes all servers that a test file has started. */
export function closeMisbehavingServers(): void {
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  servers.clear();
}

/** Starts a raw TCP or TLS server. The test defines its behaviour. */
export async function startMisbehavingServer(
  onConnection: (socket: Socket) => void,
  { tls, host = '127.0.0.1', port = 0 }: { tls?: { cert: string; key: string }; host?: string; port?: number } = {},
): Promise<MisbehavingServer> {
  const sockets: Socket[] = [];
  const serve = (socket: Socket): void => {
    sockets.push(socket);
    // A client is expected to abort its connection to a misbehaving server.
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

/** Writes the response once the first bytes of the request have arrived. `more` continues the response. */
export const onFirstBytes =
  (answer: string | Uint8Array, more: (socket: Socket) => void = () => {}) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(answer);
      more(socket);
    });
  };

/** Responds to each request on a connection as soon as the first bytes of the request arrive. */
export const onEachRequest =
  (answer: (socket: Socket) => unknown) =>
  (socket: Socket): void => {
    socket.on('data', (data) => void (String(data).startsWith('POST ') && answer(socket)));
  };

/** Writes the same chunk repeatedly, as fast as the connection accepts data. */
export const pour =
  (chunk: string | Uint8Array) =>
  (socket: Socket): void => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };

/** Writes the same chunk every 20 ms until the connection closes. */
export const drip =
  (chunk: string) =>
  (socket: Socket): void => {
    const timer = setInterval(() => socket.write(chunk), 20);
    socket.on('close', () => clearInterval(timer));
  };
