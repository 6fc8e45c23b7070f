import type { ServerResponse } from 'node:http';

const everyMs = 1000;
const maxClients = 20;
// The maximum number of unsent bytes per client. Without this limit, the buffer for a client that has stopped reading
// would grow indefinitely.
const maxUnsentBytes = 4_000_000;

/** Sends the state to all clients as server-sent events. Reads the state once a second, and sends the state only if it has changed. */
export function createStateStream(read: () => Promise<unknown>) {
  const clients = new Set<ServerResponse>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  function broadcast(text: string): void {
    for (const client of clients) {
      if (client.writableLength > maxUnsentBytes) client.destroy();
      else client.write(text);
    }
  }

  async function poll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const message = await read().then(
      (state) => `data: ${JSON.stringify(state)}\n\n`,
      (error: unknown) => `event: trouble\ndata: ${JSON.stringify(String(error))}\n\n`,
    );
    isReading = false;
    if (message !== last) broadcast(message);
    last = message;
  }

  function remove(client: ServerResponse): void {
    clients.delete(client);
    if (clients.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    clientCount: () => clients.size,
    connect(response: ServerResponse): void {
      if (clients.size >= maxClients) {
        response.writeHead(503, { 'retry-after': '10' }).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(': connected\n\n');
      clients.add(response);
      response.once('close', () => remove(response));
      last = '';
      timer ??= setInterval(poll, everyMs);
      void poll();
    },
    stop(): void {
      for (const client of clients) client.destroy();
      clearInterval(timer);
    },
  };
}
