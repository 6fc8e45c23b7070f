import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { guard } from '../../guard.ts';

interface ApiServer {
  serve(handle: RequestListener): void;
  stop(): Promise<void>;
}

export interface Console {
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

const idleMilliseconds = 60_000;

/** Starts the HTTP server of the API. The request handler can be replaced while the server runs. */
export async function startApiServer(port: number, first: RequestListener, beside?: Console): Promise<ApiServer> {
  let handle = first;
  const server = createServer((request, response) => {
    if (beside?.has(request.url?.split('?')[0] ?? '/')) beside.handle(request, response);
    else handle(request, response);
  });
  // A request fails if the client sends the request while the server is closing the connection, so the idle timeout is
  // long.
  server.keepAliveTimeout = idleMilliseconds;
  guard(server, { anyOrigin: true }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    serve(next) {
      handle = next;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
