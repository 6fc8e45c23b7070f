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

/** Returns the response to a request, either directly or as a promise. */
export type Respond = (request: Received) => Answer | Promise<Answer>;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Returns the requests whose header `message-type` has the given value, oldest first. */
  of(type: MessageType): Received[];
  /** Waits for the nth request (default: the first) with this message type. */
  arrival(type: MessageType, ordinal?: number): Promise<Received>;
  /** Sets the response to all later requests. */
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

/** Closes all receivers that a test file has started. */
export const closeReceivers = async (): Promise<void> => {
  await Promise.all([...open].map((receiver) => receiver.close()));
};

/** Starts the endpoint of a subscriber: a real local HTTP server that records its requests. */
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

/** The body of a confirmation message (OSIA notification 1.2.0). */
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
