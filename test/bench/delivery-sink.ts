import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { answerParent } from './process.ts';

// This receiver does as little work as possible, so the benchmark measures only the senders.

/** Options of the receiver. With `tls`, the receiver closes the connection after each response. */
export interface Sink {
  readonly tls?: { readonly cert: string; readonly key: string };
}

const lengthOf = /\r\ncontent-length: *(\d+)/i;

/** Responds to each request on a connection once the whole request has arrived. */
function receive(socket: Socket, answer: string, isLast: boolean): void {
  let text = '';
  socket.setEncoding('latin1');
  socket.setNoDelay(true);
  // The sender closes its connections when it has finished. This is not an error.
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const size = end + 4 + Number(lengthOf.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < size) return;
      text = text.slice(size);
      if (isLast) socket.end(answer);
      else socket.write(answer);
    }
  });
}

answerParent(async ({ tls }: Sink): Promise<number> => {
  const server =
    tls === undefined
      ? createServer((socket) => receive(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', false))
      : createTlsServer(tls, (socket) =>
          receive(socket, 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', true),
        ).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});
