import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as sent. The path includes the query. */
export interface ProxyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Changes a request or its response, or repeats the request. */
export interface Fault {
  readonly request?: (received: ProxyRequest) => Partial<ProxyRequest>;
  readonly reply?: (reply: Reply, received: ProxyRequest) => Partial<Reply>;
  readonly isRepeated?: (reply: Reply, received: ProxyRequest) => boolean;
}

// These headers apply to a single connection, so they are not forwarded.
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'];

const ownHeaders = (headers: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !ofConnection.includes(name)).map(([name, value]) => [name, `${value}`]),
  );

async function forward(target: string, { method, path, headers, body }: ProxyRequest): Promise<Reply> {
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD';
  const response = await fetch(target + path, {
    ...{ method, headers, redirect: 'manual' },
    ...(hasBody && { body: Buffer.from(body, 'latin1') }),
  });
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: ownHeaders(response.headers), body: text };
}

/** Starts a proxy that injects a fault. The proxy handles bodies as Latin-1 text, which preserves every byte. */
export async function startFaultyProxy(
  target: () => string,
  { request = () => ({}), reply: replace = () => ({}), isRepeated = () => false }: Fault,
) {
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = incoming;
    const body = (await buffer(incoming)).toString('latin1');
    const received = { method, path, headers: ownHeaders(Object.entries(incoming.headers)), body };
    const changed = { ...received, ...request(received) };
    const reply = await forward(target(), changed);
    if (isRepeated(reply, received)) await sleep(500).then(() => forward(target(), changed));
    const sent = { ...reply, ...replace(reply, received) };
    response.writeHead(sent.status, sent.headers).end(Buffer.from(sent.body, 'latin1'));
  }
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
