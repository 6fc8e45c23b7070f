import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broken } from './sentence.ts';

/** A delivery as it came. `at` is when, in epoch milliseconds. */
export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an arrival is answered with, as late as it likes: a status, or one with headers. */
export type Answering = (arrival: Arrival) => number | Answered | Promise<number>;

export type MessageType = 'SubscriptionConfirmation' | 'Notification';

/** One address of the receiver, for one subscription. */
export interface Letterbox {
  readonly address: string;
  answering: Answering;
  readonly arrivals: Arrival[];
  of(type: MessageType): Arrival[];
  /** Waits for as many of a type. @throws Broken when they do not come in time */
  arrived(type: MessageType, count?: number, withinMs?: number): Promise<Arrival[]>;
}

const accept: Answering = () => 200;

function letterbox(address: string, patienceMs: number): Letterbox {
  const arrivals: Arrival[] = [];
  const of = (type: MessageType) => arrivals.filter(({ headers }) => headers['message-type'] === type);
  return {
    address,
    answering: accept,
    arrivals,
    of,
    async arrived(type, count = 1, withinMs = patienceMs) {
      const end = Date.now() + withinMs;
      while (of(type).length < count) {
        const seconds = withinMs / 1000;
        if (Date.now() > end) {
          throw new Broken(`${of(type).length} of ${count} ${type} came within ${seconds} s; --wait allows for more`);
        }
        await sleep(50);
      }
      return of(type);
    },
  };
}

/**
 * Starts a server on this machine with an address of its own for each letterbox.
 * @param publicUrl where the deployment reaches it; left out, at 127.0.0.1
 */
export async function startReceiver(patienceMs: number, port = 0, publicUrl?: string) {
  const letterboxes = new Map<string, Letterbox>();
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = request;
    const at = Date.now();
    const body = await buffer(request);
    const found = letterboxes.get(url.split('/').at(-1) ?? '');
    const arrival = { method, headers, body, at };
    found?.arrivals.push(arrival);
    const answer = (await found?.answering(arrival)) ?? 404;
    const { status, headers: added } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
    response.writeHead(status, added).end();
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, publicUrl === undefined ? '127.0.0.1' : undefined);
  await once(server, 'listening');
  const base = (publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`).replace(/\/$/, '');
  return {
    open(): Letterbox {
      const name = randomUUID();
      const opened = letterbox(`${base}/${name}`, patienceMs);
      letterboxes.set(name, opened);
      return opened;
    },
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
