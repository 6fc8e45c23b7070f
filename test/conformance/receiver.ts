import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Violation } from './requirement.ts';

/** A received delivery. `at` is the arrival time in epoch milliseconds. */
export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the response to a delivery: a status code, optionally with headers and a body. */
export type Responder = (arrival: Arrival) => number | Reply | Promise<number>;

export type MessageType = 'SubscriptionConfirmation' | 'Notification';

/** A URL at the receiver that only one subscription uses. */
export interface Webhook {
  readonly address: string;
  respond: Responder;
  readonly arrivals: Arrival[];
  of(type: MessageType): Arrival[];
  /** Waits until `count` deliveries have arrived. @throws Violation if they do not arrive in time */
  arrived(type: MessageType, count?: number, withinMs?: number): Promise<Arrival[]>;
}

const accept: Responder = () => 200;

function openWebhook(address: string, timeoutMs: number): Webhook {
  const arrivals: Arrival[] = [];
  const of = (type: MessageType) => arrivals.filter(({ headers }) => headers['message-type'] === type);
  return {
    address,
    respond: accept,
    arrivals,
    of,
    async arrived(type, count = 1, withinMs = timeoutMs) {
      const end = Date.now() + withinMs;
      while (of(type).length < count) {
        const seconds = withinMs / 1000;
        if (Date.now() > end) {
          throw new Violation(
            `${of(type).length} of ${count} ${type} messages arrived within ${seconds} s; use --wait to wait longer`,
          );
        }
        await sleep(50);
      }
      return of(type);
    },
  };
}

/**
 * Starts a local server with a separate address for each webhook.
 * @param publicUrl the URL at which the deployment reaches the server, by default a URL with the host 127.0.0.1
 */
export async function startReceiver(timeoutMs: number, port = 0, publicUrl?: string) {
  const webhooks = new Map<string, Webhook>();
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = request;
    const at = Date.now();
    const body = await buffer(request);
    const found = webhooks.get(url.split('/').at(-1) ?? '');
    const arrival = { method, headers, body, at };
    found?.arrivals.push(arrival);
    const reply = (await found?.respond(arrival)) ?? 404;
    const { status, headers: added, body: answer }: Reply = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, added).end(answer);
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, publicUrl === undefined ? '127.0.0.1' : undefined);
  await once(server, 'listening');
  const base = (publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`).replace(/\/$/, '');
  return {
    open(): Webhook {
      const name = randomUUID();
      const opened = openWebhook(`${base}/${name}`, timeoutMs);
      webhooks.set(name, opened);
      return opened;
    },
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
