import Agent from 'undici/lib/dispatcher/agent.js';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { readRetryAfter } from '../../domain/deliveries/retry-after.ts';
import { recordSeconds } from '../../domain/deliveries/times.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import { Busy } from '../../model/deliveries/busy.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';
import type { Sender } from '../engine/sender.ts';
import type { AddressGuard } from './address-guard.ts';
import { connector } from './connect.ts';
import { type Exchange, exchange } from './exchange.ts';
import { openSockets } from './open-sockets.ts';

export interface HttpSenderOptions {
  /** For the look-up, the connection, headers and body together. */
  readonly timeoutSeconds: number;
  readonly guard: AddressGuard;
  /** Answers the headers that prove a message to be ours. */
  readonly sign: (message: ComposedMessage) => Promise<Readonly<Record<string, string>>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Sockets that may be open at once. */
  readonly mostSockets?: number;
}

// Of the 1,024 descriptors that Lambda gives. The others are for name look-ups, and so that what was posted can be recorded.
const socketsOfLambda = 850;

const retryAfterStatuses: readonly number[] = [429, 503];

// The status says what happened, whatever comes after it: who has said 200 has the message, and would get it twice.
function outcomeOf({ status, retryAfter, failure }: Exchange, now: number): Outcome {
  if (status === undefined) return { class: failure ?? 'connect' };
  if (status >= 200 && status < 300) return { class: 'delivered', status };
  const isAsked = retryAfter !== undefined && retryAfterStatuses.includes(status);
  const retryAfterSeconds = isAsked ? readRetryAfter(retryAfter, now) : undefined;
  return { class: 'http', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

// Lambda freezes a function between invocations, and its timers with it: connections may have died meanwhile.
const idleLimitMs = 2000;

/**
 * Delivers by POST, signed. Any 2xx that comes by the deadline is delivered, whatever comes after it; redirects are not
 * followed, and proxies of the environment are not used. Where as many sockets are open as may be, it waits for one to be closed.
 * @throws Busy where the time for an attempt was over before it could begin
 */
export function httpSender(options: HttpSenderOptions): Sender & { close(): Promise<void> } {
  const { guard, sign, now, mostSockets = socketsOfLambda } = options;
  const sockets = openSockets(mostSockets);
  const timeoutMs = options.timeoutSeconds * 1000;
  const newAgent = () =>
    new Agent({
      connect: connector({ timeoutMs, lookup: guard.lookup, onOpened: sockets.add }),
      // Less than servers wait, so that a request seldom meets a connection that is just being closed.
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 10_000,
      // The deadline is for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  let agent = newAgent();
  let underWay = 0;
  let idleSince = now();

  function agentForNext(): Agent {
    if (underWay === 0 && now() - idleSince > idleLimitMs) {
      void agent.destroy();
      agent = newAgent();
    }
    return agent;
  }

  /** Closes the connections that are idle now; the others, once they have served. */
  function closeIdle(): void {
    void agent.close();
    agent = newAgent();
  }

  return {
    async deliver(message, recipient, progress) {
      const timeLeft = timeOfInvocation();
      const url = new URL(recipient.address);
      if (guard.isBlockedLiteral(url)) return { class: 'blocked' };
      const headers = {
        ...message.headers,
        ...(await sign(message)),
        'subscription-id': recipient.uuid,
        'content-type': message.contentType,
        'accept-encoding': 'identity',
        'user-agent': 'identity-registry-notification',
      };
      const request = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST' as const,
        headers,
        body: message.body,
      };
      // Between the look and the dispatch nothing may wait: others look, too.
      while (sockets.isFull()) {
        closeIdle();
        await sockets.room();
      }
      if (timeLeft() < timeoutMs + recordSeconds * 1000) {
        sockets.next();
        throw new Busy('an attempt could not be recorded any more');
      }
      const dispatcher = agentForNext();
      underWay++;
      progress?.onConnecting();
      try {
        const exchanged = exchange(dispatcher, request, timeoutMs, progress?.onBegun);
        // It may have found a connection that was open already.
        sockets.next();
        return outcomeOf(await exchanged, now());
      } finally {
        underWay--;
        idleSince = now();
        if (sockets.isAwaited()) closeIdle();
      }
    },
    close: () => agent.close(),
  };
}
