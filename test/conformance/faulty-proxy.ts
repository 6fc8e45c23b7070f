import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What goes wrong on the way: with a request, with its answer, or that the request comes again. */
export interface Fault {
  readonly request?: (asked: Asked) => Partial<Asked>;
  readonly answer?: (answered: Answered, asked: Asked) => Partial<Answered>;
  readonly again?: (answered: Answered, asked: Asked) => boolean;
}

// Of one connection, not of the message.
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'];

const ownHeaders = (headers: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !ofConnection.includes(name)).map(([name, value]) => [name, `${value}`]),
  );

async function forward(target: string, { method, path, headers, body }: Asked): Promise<Answered> {
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD';
  const response = await fetch(target + path, {
    ...{ method, headers, redirect: 'manual' },
    ...(hasBody && { body: Buffer.from(body, 'latin1') }),
  });
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: ownHeaders(response.headers), body: text };
}

/** Stands before a server and passes everything on, with a fault of its own. Bodies are in latin1, so that no byte changes. */
export async function startSpoiler(
  target: () => string,
  { request = () => ({}), answer = () => ({}), again = () => false }: Fault,
) {
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = incoming;
    const body = (await buffer(incoming)).toString('latin1');
    const asked = { method, path, headers: ownHeaders(Object.entries(incoming.headers)), body };
    const spoilt = { ...asked, ...request(asked) };
    const answered = await forward(target(), spoilt);
    if (again(answered, asked)) await sleep(500).then(() => forward(target(), spoilt));
    const given = { ...answered, ...answer(answered, asked) };
    response.writeHead(given.status, given.headers).end(Buffer.from(given.body, 'latin1'));
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
