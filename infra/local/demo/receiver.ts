import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { publishKeys } from '../../../shared/contract/endpoints/access-endpoints.ts';
import { confirmSubscription } from '../../../shared/contract/endpoints/subscriptions-endpoints.ts';
import type { Client } from './client.ts';

/** The response of `GET /v1/.well-known/jwks.json`. */
export interface PublishedKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** Returns the verified headers with lower-case names; undefined if the registry did not sign the delivery. */
export type Verify = (
  given: IncomingHttpHeaders,
  body: Uint8Array,
  jwks: PublishedKeys,
) => Promise<Readonly<Record<string, string>> | undefined>;

const page = new URL('../../../functions/README.md', import.meta.url);

/** Loads the Node.js example for receivers from the documentation for callers. */
export async function documentedVerifier(): Promise<Verify> {
  const [, section = ''] = (await readFile(page, 'utf8')).split('\n## Verify a delivery\n');
  const blocks = [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  // Skips examples that need packages, because code in a data URL cannot import packages.
  const byHand = blocks.find((code) => !/from '(?!node:)/.test(code)) ?? '';
  const { verifiedHeaders } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(byHand)}`);
  return async (...given) => verifiedHeaders(...given);
}

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

/** Starts a receiver that verifies signatures, confirms its subscription before it responds, and deduplicates by message id. */
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
