import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { eventually } from './eventually.ts';
import { listenLocally, stopServer } from './local-server.ts';

/** A received request. Times are epoch milliseconds. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

type MessageType = 'SubscriptionConfirmation' | 'Notification';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the response to a request, directly or as a promise. */
export type Respond = (request: Received) => Answer | Promise<Answer>;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Returns the requests with the given message type (header `message-type`), oldest first. */
  of(type: MessageType): Received[];
  /** Waits for the nth request (default: the first) with the given message type. */
  arrival(type: MessageType, ordinal?: number): Promise<Received>;
  /** Sets the response to later requests. */
  answer(answering: Respond): void;
  /** Refuses connections from now on. */
  close(): Promise<void>;
}

export const accept: Respond = () => ({ status: 200 });
export const hang: Respond = () => new Promise(() => {});
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  () => ({ status: code, headers });

function write(response: ServerResponse, { status: code = 200, headers = {}, body = '' }: Answer): void {
  response.writeHead(code, headers).end(body);
}

const open = new Set<Receiver>();

/** Closes all receivers started by a test file. */
export const closeReceivers = async (): Promise<void> => {
  await Promise.all([...open].map((receiver) => receiver.close()));
};

/** A subscriber's endpoint: a real local HTTP server that records its requests. */
export async function startReceiver(first: Respond = accept): Promise<Receiver> {
  const received: Received[] = [];
  let answering = first;
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const { method = '', url: path = '', headers } = request;
    const entry = { method, path, headers, body: await buffer(request), at };
    received.push(entry);
    write(response, await answering(entry));
  });
  const url = await listenLocally(server);
  const receiver: Receiver = {
    url: `${url}/events`,
    received,
    of: (type) => received.filter(({ headers }) => headers['message-type'] === type),
    arrival: (type, ordinal = 1) =>
      eventually(() => {
        const found = receiver.of(type)[ordinal - 1];
        if (found === undefined) throw new Error(`${type} ${ordinal} has not arrived`);
        return found;
      }),
    answer(next) {
      answering = next;
    },
    async close() {
      if (!open.delete(receiver)) return;
      stopServer(server);
      await once(server, 'close');
    },
  };
  open.add(receiver);
  return receiver;
}

/** A confirmation message's body (OSIA notification 1.2.0). */
interface Confirmation {
  readonly type: string;
  readonly token: string;
  readonly topic: string;
  readonly message: string;
  readonly messageId: string;
  readonly subject: string;
  readonly subscribeURL: string;
  readonly confirmURL: string;
  readonly timestamp: string;
}

export const confirmationIn = (request: Received): Confirmation => JSON.parse(request.body.toString('utf8'));
