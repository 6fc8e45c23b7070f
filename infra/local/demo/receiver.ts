import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReceiverOptions, receive } from '../../../shared/receiver/receive.ts';

/**
 * With `unavailable`, a receiver returns 503. With `lostResponse`, the receiver's first response to each event is lost.
 */
type Failure = 'unavailable' | 'lostResponse';

interface EventRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  /**
   * The stored events by message id. A list has several elements if the receiver stored the same event more than once.
   */
  readonly stored: ReadonlyMap<string, readonly string[]>;
  /** The number of requests for each event, including requests that the receiver deliberately let fail. */
  readonly requests: ReadonlyMap<string, number>;
  readonly failures: Readonly<Record<Failure, number>>;
  forged(): number;
  latest(): EventRequest | undefined;
  isConfirmed(): boolean;
  failWith(failure: Failure | undefined): void;
  stop(): Promise<void>;
}

export const retriesOf = ({ requests }: Pick<Receiver, 'requests'>): number =>
  [...requests.values()].reduce((sum, count) => sum + count - 1, 0);

export const failuresOf = ({ failures }: Pick<Receiver, 'failures'>): number =>
  failures.unavailable + failures.lostResponse;

/** Starts a receiver that verifies deliveries, confirms its subscription, stores events, and can be made to fail. */
export async function startReceiver(registry: Pick<ReceiverOptions, 'registry' | 'accessToken'>): Promise<Receiver> {
  const stored = new Map<string, string[]>();
  const requests = new Map<string, number>();
  const failures = { unavailable: 0, lostResponse: 0 };
  let forged = 0;
  let latest: EventRequest | undefined;
  let failure: Failure | undefined;
  let isConfirmed = false;
  const receiver = receive({
    ...registry,
    onEvent({ messageId, subject, body }) {
      stored.set(messageId, [...(stored.get(messageId) ?? []), `${subject} ${body}`]);
    },
  });

  /** Returns the response status; undefined if the response is to be lost. */
  async function respond({ headers }: IncomingMessage, body: Buffer): Promise<number | undefined> {
    const isEvent = headers['message-type'] === 'Notification';
    const status = failure === 'unavailable' ? 503 : await receiver.handle(headers, body);
    if (status === 401) {
      forged += 1;
      return status;
    }
    if (!isEvent) {
      isConfirmed ||= status === 200;
      return status;
    }
    const id = String(headers['message-id']);
    requests.set(id, (requests.get(id) ?? 0) + 1);
    latest = { headers, body };
    const isLost = failure === 'lostResponse' && status === 200 && requests.get(id) === 1;
    if (status === 503) failures.unavailable += 1;
    if (isLost) failures.lostResponse += 1;
    return isLost ? undefined : status;
  }

  const server = createServer(async (request, response) => {
    const status = await respond(request, await buffer(request));
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    stored,
    requests,
    failures,
    forged: () => forged,
    latest: () => latest,
    isConfirmed: () => isConfirmed,
    failWith(next) {
      failure = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Sends three forged copies of the latest event: one with another body, one with another message id, and one without a
 * signature.
 */
export async function sendForgeries({ url, latest }: Pick<Receiver, 'url' | 'latest'>): Promise<number> {
  const { headers: given = {}, body = Buffer.of() } = latest() ?? {};
  const signed = Object.entries(given).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
  const headers = Object.fromEntries(signed) as Record<string, string>;
  const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.includes('signature')));
  const forgeries = [
    { headers, body: `${body} ` },
    { headers: { ...headers, 'message-id': crypto.randomUUID() }, body: String(body) },
    { headers: unsigned, body: String(body) },
  ];
  for (const forgery of forgeries) await fetch(url, { method: 'POST', ...forgery });
  return forgeries.length;
}
