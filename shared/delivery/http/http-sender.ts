import type { Socket } from 'node:net';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { keptBytes, readableStart } from '../../domain/deliveries/kept-response.ts';
import type { Outcome } from '../../domain/deliveries/outcome.ts';
import { readRetryAfter } from '../../domain/deliveries/retry.ts';
import { Busy } from '../../domain/deliveries/task.ts';
import { recordSeconds } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import type { Progress, SendResult } from '../delivery-context.ts';
import type { signer } from '../signing/signature.ts';
import type { addressGuard } from './address-guard.ts';
import { connector } from './connector.ts';
import { type Exchange, exchange } from './exchange.ts';

/** Limits the number of open sockets in this process, because Lambda allows only 1,024 file descriptors. */
function openSockets(most: number) {
  const open = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const isFull = () => open.size >= most;
  const wakeNext = () => {
    if (!isFull()) waiting.shift()?.();
  };
  return {
    isFull,
    hasWaiters: () => waiting.length > 0,
    add(socket: Socket): void {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        wakeNext();
      });
    },
    /**
     * Waits until a socket may be available. The caller must then check `isFull` again, and must call `wakeNext` after
     * it has taken the socket.
     */
    waitForRoom: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    wakeNext,
  };
}

export interface HttpSenderOptions {
  readonly timeoutSeconds: number;
  readonly guard: ReturnType<typeof addressGuard>;
  readonly sign: ReturnType<typeof signer>;
  readonly now: () => number;
  readonly keepResponses?: boolean;
  readonly maxSockets?: number;
}

// The remaining file descriptors (Lambda allows 1,024) are reserved for DNS lookups and for recording results.
const socketsOfLambda = 850;

/** Returns the headers of a delivery, except those that the HTTP client adds. */
export const requestHeaders = (
  { headers, contentType }: ComposedMessage,
  signatures: Readonly<Record<string, string>>,
  subscriptionUuid: string,
) => ({
  ...headers,
  ...signatures,
  'subscription-id': subscriptionUuid,
  'content-type': contentType,
  'accept-encoding': 'identity',
  'user-agent': 'identity-registry-notification',
});

const retryAfterStatuses: readonly number[] = [429, 503];

// Only the status matters: after a receiver has returned 200, it has the message, and a later error must not cause a
// second delivery.
function outcomeOf({ status, retryAfter, failure, code }: Omit<Exchange, 'start'>, now: number): Outcome {
  if (status === undefined) return { class: failure ?? 'connect', ...(code !== undefined && { code }) };
  if (status >= 200 && status < 300) return { class: 'delivered', status };
  const isAsked = retryAfter !== undefined && retryAfterStatuses.includes(status);
  const retryAfterSeconds = isAsked ? readRetryAfter(retryAfter, now) : undefined;
  return { class: 'http', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

// Lambda freezes a function and its timers between invocations, so idle connections may be dead.
const idleLimitMs = 2000;

/**
 * Delivers with signed POST requests. Any 2xx status before the deadline counts as delivered, even if the rest of the
 * response fails. Does not follow redirects or use proxies. If too many sockets are open, waits until a socket closes.
 * @throws Busy if too little time is left to make and record an attempt
 */
export function httpSender(options: HttpSenderOptions) {
  const { guard, sign, now, maxSockets: mostSockets = socketsOfLambda } = options;
  const sockets = openSockets(mostSockets);
  const timeoutMs = options.timeoutSeconds * 1000;
  const exchangeOptions = { timeoutMs, keptBytes: options.keepResponses ? keptBytes : 0 };
  const newAgent = () =>
    new Agent({
      connect: connector({ timeoutMs, lookup: guard.lookup, onOpened: sockets.add }),
      // Most servers have a longer keep-alive timeout, so requests rarely use a connection that is closing.
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 10_000,
      // The deadline of `exchange` replaces undici's timeouts for headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  let agent = newAgent();
  let underWay = 0;
  let idleSince = now();

  function closeIdle(): void {
    void agent.close();
    agent = newAgent();
  }

  return {
    async deliver(
      message: ComposedMessage,
      recipient: Pick<StoredSubscription, 'uuid' | 'address'>,
      progress?: Progress,
    ): Promise<SendResult> {
      const timeLeft = timeOfInvocation();
      const url = new URL(recipient.address);
      if (guard.isBlockedLiteral(url)) return { class: 'blocked' };
      const headers = requestHeaders(message, await sign(message), recipient.uuid);
      const { origin, pathname, search } = url;
      const request = { origin, path: pathname + search, method: 'POST' as const, headers, body: message.body };
      // Do not await between this check and the dispatch, because a concurrent attempt could take the socket.
      while (sockets.isFull()) {
        closeIdle();
        await sockets.waitForRoom();
      }
      if (timeLeft() < timeoutMs + recordSeconds * 1000) {
        sockets.wakeNext();
        throw new Busy('too little time is left to record an attempt');
      }
      if (underWay === 0 && now() - idleSince > idleLimitMs) {
        void agent.destroy();
        agent = newAgent();
      }
      underWay++;
      progress?.onConnecting();
      try {
        const exchanged = exchange(agent, request, { ...exchangeOptions, onBegun: progress?.onBegun });
        // Wake the next attempt: if this request reused a connection, a socket is still available.
        sockets.wakeNext();
        const { start, ...answer } = await exchanged;
        const outcome = outcomeOf(answer, now());
        // Do not keep responses from the deployment's own networks, because they could reveal internal services to
        // subscribers.
        if (guard.isInternal(url)) return { ...outcome, isInternal: true };
        const response = readableStart(start);
        return response === '' ? outcome : { ...outcome, response };
      } finally {
        underWay--;
        idleSince = now();
        if (sockets.hasWaiters()) closeIdle();
      }
    },
    close: () => agent.close(),
  };
}
