import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { publishKeys } from '../../../shared/contract/endpoints/access.ts';
import { confirmSubscription } from '../../../shared/contract/endpoints/subscriptions.ts';
import type { Client } from './client.ts';
import type { PublishedKeys, Verify } from './documented-verifier.ts';

/** A subscriber's endpoint. */
export interface Receiver {
  readonly url: string;
  /** What was taken under each message id: subject and body, once for each time. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  /** Deliveries whose signature was not the registry's. */
  forged(): number;
  /** Deliveries that were answered with 503. */
  refused(): number;
  isConfirmed(): boolean;
  /** While it is out of order it answers 503. */
  setOrder(isInOrder: boolean): void;
  stop(): Promise<void>;
}

/** Does what the documentation tells receivers to do: it verifies, confirms within its answer, and knows messages by their id. */
export async function startReceiver(client: Client, verify: Verify): Promise<Receiver> {
  const taken = new Map<string, string[]>();
  const counts = { forged: 0, refused: 0 };
  let isInOrder = true;
  let isConfirmed = false;
  let keys: PublishedKeys | undefined;

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await buffer(request);
    keys ??= (await client(publishKeys)) as PublishedKeys;
    const headers = await verify(request.headers, body, keys);
    if (headers === undefined) {
      counts.forged += 1;
      return 401;
    }
    if (!isInOrder) {
      counts.refused += 1;
      return 503;
    }
    if (headers['message-type'] === 'SubscriptionConfirmation') {
      const { token } = JSON.parse(body.toString()) as { token: string };
      isConfirmed = (await client(confirmSubscription, { query: { token } })) !== undefined;
      return isConfirmed ? 200 : 500;
    }
    const id = String(headers['message-id']);
    taken.set(id, [...(taken.get(id) ?? []), `${headers.subject} ${body}`]);
    return 200;
  }

  const server = createServer(async (request, response) => {
    const status = await receive(request).catch(() => 500);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    taken,
    forged: () => counts.forged,
    refused: () => counts.refused,
    isConfirmed: () => isConfirmed,
    setOrder(next) {
      isInOrder = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
