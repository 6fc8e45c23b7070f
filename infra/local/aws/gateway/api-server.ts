import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

export interface ApiServer {
  /** Sends the requests that come from now on to another handler. */
  serve(handle: RequestListener): void;
  stop(): Promise<void>;
}

/** What stands beside the API at its door. */
export interface Neighbour {
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

const idleMilliseconds = 60_000;

/** The door of the API. It stays open while what stands behind it is replaced. */
export async function startApiServer(port: number, first: RequestListener, beside?: Neighbour): Promise<ApiServer> {
  let handle = first;
  const server = createServer((request, response) => {
    if (beside?.has(request.url?.split('?')[0] ?? '/')) beside.handle(request, response);
    else handle(request, response);
  });
  // Clients keep a connection for as long as they are told and a little more: one that we closed first resets their request.
  server.keepAliveTimeout = idleMilliseconds;
  server.listen(port, '127.0.0.1');
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
