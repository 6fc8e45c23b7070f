import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReceiverOptions, receive } from '../../../shared/receiver/receive.ts';

export interface Receiver {
  readonly url: string;
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  forged(): number;
  rejected(): number;
  isConfirmed(): boolean;
  /** While the receiver is unavailable, it returns 503. */
  setAvailable(isInOrder: boolean): void;
  stop(): Promise<void>;
}

/** Starts a receiver that verifies deliveries, confirms its subscription, and records how often each event arrives. */
export async function startReceiver(registry: Pick<ReceiverOptions, 'registry' | 'accessToken'>): Promise<Receiver> {
  const taken = new Map<string, string[]>();
  const counts = { forged: 0, refused: 0 };
  let isInOrder = true;
  let isConfirmed = false;
  // The checks count the copies of an event, so the receiver stores every copy.
  const receiver = receive({ ...registry, isSeen: () => false, onEvent: () => {} });

  async function respond(request: IncomingMessage): Promise<number> {
    const body = await buffer(request);
    if (!isInOrder) {
      counts.refused += 1;
      return 503;
    }
    const status = await receiver.handle(request.headers, body);
    if (status === 401) counts.forged += 1;
    if (status !== 200) return status;
    if (request.headers['message-type'] === 'SubscriptionConfirmation') isConfirmed = true;
    else {
      const id = String(request.headers['message-id']);
      taken.set(id, [...(taken.get(id) ?? []), `${request.headers.subject} ${body}`]);
    }
    return status;
  }

  const server = createServer(async (request, response) => {
    const status = await respond(request).catch(() => 500);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    accepted: taken,
    forged: () => counts.forged,
    rejected: () => counts.refused,
    isConfirmed: () => isConfirmed,
    setAvailable(next) {
      isInOrder = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
