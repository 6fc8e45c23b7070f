import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GivenHeaders, type VerificationKeys, type Verified, verify } from './verify.ts';

export { type GivenHeaders, type VerificationKeys, type Verified, verify };

/** A verified event from the registry. */
export interface ReceivedEvent {
  /** The id of the message, which is the same each time that an event is delivered. */
  readonly messageId: string;
  readonly topicId: string;
  /** The subject given by the publisher, usually the event type; undefined if the event has no subject. */
  readonly subject: string | undefined;
  /** The body exactly as received. */
  readonly body: string;
}

/** A verified request to confirm a subscription for the receiver's address. */
export interface ReceivedConfirmation {
  readonly topicId: string;
  readonly topic: string;
}

export interface ReceiverOptions {
  /** The registry's base URL without a path, for example `https://registry.example.org`. */
  readonly registry: string;
  /** Returns an access token with the `notif.sub.write` scope. Called for each confirmation. */
  readonly accessToken: () => string | Promise<string>;
  /** Stores an event. If this function throws an error, the registry sends the event again. */
  readonly onEvent: (event: ReceivedEvent) => unknown;
  /**
   * Returns whether an event is already stored. By default, the receiver keeps the last 100,000 message ids in memory.
   * If several processes receive events, or if events must not be repeated after a restart, store the id with each
   * event and look it up in this function.
   */
  readonly isSeen?: (messageId: string) => boolean | Promise<boolean>;
  /** Returns whether to confirm a subscription. By default, every subscription is confirmed. */
  readonly shouldConfirm?: (confirmation: ReceivedConfirmation) => boolean | Promise<boolean>;
  /** Called with each error that causes status 500. By default, Node.js prints a warning. */
  readonly onError?: (error: unknown) => void;
  /** Replaces the global function `fetch`. */
  readonly fetch?: typeof fetch;
  /** The current time in epoch milliseconds. */
  readonly now?: () => number;
}

/** The fields that the receiver reads from an API Gateway or function URL event. */
export interface LambdaRequest {
  readonly headers?: GivenHeaders | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
}

/**
 * A receiver has functions for different servers. Each function verifies deliveries, confirms subscriptions, skips
 * repeated events, and returns the HTTP status.
 */
export interface Receiver {
  /**
   * For all other frameworks. The body must contain the bytes as received. The promise resolves to the status to
   * return.
   */
  readonly handle: (headers: GivenHeaders, body: Uint8Array) => Promise<number>;
  /**
   * For `http.createServer` and Express. In Express, register this function before body parsers, or use express.raw.
   */
  readonly http: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** For Lambda behind API Gateway, a load balancer, or a function URL. */
  readonly lambda: (event: LambdaRequest) => Promise<{ readonly statusCode: number }>;
}

const keysMaxAgeMs = 300_000;
// Forged deliveries cause at most one request for the keys per second.
const keysMinAgeMs = 1000;
// The registry waits 15 seconds for a response. Reading the keys and confirming a subscription must together take less
// time.
const keysTimeoutMs = 4000;
const confirmTimeoutMs = 9000;
const rememberedIds = 100_000;
// The registry accepts events of at most 256 KiB. In an envelope, an event is an escaped JSON string, which can be six
// times as long.
const maxBodyBytes = 2 * 1024 * 1024;

async function responseOf(response: Response, what: string): Promise<unknown> {
  if (response.status !== 200) throw new Error(`${what} returned status ${response.status}`);
  return response.json();
}

/**
 * Returns a function that returns the registry's keys. The keys are read again if they are older than `maxAgeMs`.
 */
function keyReader({ registry, fetch: send = fetch, now = Date.now }: ReceiverOptions) {
  const url = `${registry}/v1/.well-known/jwks.json`;
  let kept: { readonly keys: Promise<VerificationKeys>; readonly at: number } | undefined;
  return (maxAgeMs: number): Promise<VerificationKeys> => {
    if (kept !== undefined && now() - kept.at <= maxAgeMs) return kept.keys;
    const signal = AbortSignal.timeout(keysTimeoutMs);
    const keys = send(url, { signal }).then((response) => responseOf(response, url) as Promise<VerificationKeys>);
    kept = { keys, at: now() };
    keys.catch(() => {
      if (kept?.keys === keys) kept = undefined;
    });
    return keys;
  };
}

/** Reads a request body. Returns undefined if the body is too long. */
async function readBody(request: IncomingMessage & { readonly body?: unknown }): Promise<Uint8Array | undefined> {
  if (request.body instanceof Uint8Array) return request.body;
  if (request.readableEnded) throw new TypeError('a body parser read the body before the receiver: use express.raw');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const singleValues = (headers: NonNullable<LambdaRequest['multiValueHeaders']>): GivenHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, all]) => [name, all?.length === 1 ? all[0] : all]));

/**
 * Creates a receiver for the registry's deliveries. The receiver returns status 401 if the registry did not sign the
 * delivery, and status 200 for a new or repeated event. After an error, the receiver returns status 500, and the
 * registry sends the delivery again.
 */
export function receive(options: ReceiverOptions): Receiver {
  const { registry, onEvent, shouldConfirm = () => true, fetch: send = fetch, now = Date.now } = options;
  const onError = options.onError ?? ((error: unknown) => process.emitWarning(String(error)));
  const keysOf = keyReader(options);
  const storedIds = new Set<string>();
  const isSeen = options.isSeen ?? ((id) => storedIds.has(id));
  const underWay = new Map<string, Promise<void>>();

  async function confirm(topicId: string, body: Uint8Array): Promise<void> {
    const { token, topic } = JSON.parse(Buffer.from(body).toString());
    if (!(await shouldConfirm({ topicId, topic }))) return;
    const url = new URL(`${registry}/v1/subscriptions/confirm`);
    url.searchParams.set('token', token);
    const headers = { authorization: `Bearer ${await options.accessToken()}` };
    const response = await send(url, { headers, signal: AbortSignal.timeout(confirmTimeoutMs) });
    await responseOf(response, 'GET /v1/subscriptions/confirm');
  }

  async function store(event: ReceivedEvent): Promise<void> {
    if (await isSeen(event.messageId)) return;
    await onEvent(event);
    storedIds.add(event.messageId);
    const [oldest] = storedIds;
    if (storedIds.size > rememberedIds && oldest !== undefined) storedIds.delete(oldest);
  }

  /** Handles one copy of an event at a time, so that a second copy that arrives in the meantime is not stored. */
  async function storeOnce(event: ReceivedEvent): Promise<void> {
    const { messageId } = event;
    const storing = underWay.get(messageId) ?? store(event);
    underWay.set(messageId, storing);
    await storing.finally(() => underWay.delete(messageId));
  }

  async function dispatch(headers: GivenHeaders, body: Uint8Array): Promise<number> {
    const proof =
      verify(headers, body, await keysOf(keysMaxAgeMs), now()) ??
      verify(headers, body, await keysOf(keysMinAgeMs), now());
    // Standard Webhooks signatures do not prove the type, the topic or the subject of a delivery.
    if (proof?.scheme !== 'rfc9421') return 401;
    const { messageType, messageId, topicId, subject } = proof;
    if (messageType === 'SubscriptionConfirmation') await confirm(topicId, body);
    else await storeOnce({ messageId, topicId, subject, body: Buffer.from(body).toString() });
    return 200;
  }

  const handle = (headers: GivenHeaders, body: Uint8Array): Promise<number> =>
    dispatch(headers, body).catch((error: unknown) => {
      onError(error);
      return 500;
    });

  return {
    handle,
    async http(request, response) {
      const body = await readBody(request).catch((error: unknown) => {
        onError(error);
        return 'unreadable' as const;
      });
      if (body === 'unreadable') response.writeHead(500).end();
      else if (body === undefined) response.writeHead(413, { connection: 'close' }).end();
      else response.writeHead(await handle(request.headers, body)).end();
    },
    async lambda({ headers, multiValueHeaders, body, isBase64Encoded }) {
      const given = multiValueHeaders ? singleValues(multiValueHeaders) : (headers ?? {});
      return { statusCode: await handle(given, Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')) };
    },
  };
}
