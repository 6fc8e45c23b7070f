import Agent from 'undici/lib/dispatcher/agent.js';
import { readRetryAfter } from '../../domain/deliveries/retry-after.ts';
import type { ComposedMessage } from '../../domain/messages/compose-message.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';
import type { Sender } from '../engine/sender.ts';
import type { AddressGuard } from './address-guard.ts';
import { connector } from './connect.ts';
import { type Exchange, exchange } from './exchange.ts';

export interface HttpSenderOptions {
  /** For the look-up, the connection, headers and body together. */
  readonly timeoutSeconds: number;
  readonly guard: AddressGuard;
  /** Answers the headers that prove a message to be ours. */
  readonly sign: (message: ComposedMessage) => Promise<Readonly<Record<string, string>>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const retryAfterStatuses: readonly number[] = [429, 503];

// A status that is not 2xx says what happened, whatever becomes of the body: a page of 100 KB that says 404 is a 404.
function outcomeOf({ status, retryAfter, failure }: Exchange, now: number): Outcome {
  if (status === undefined) return { class: failure ?? 'connect' };
  if (status >= 200 && status < 300) {
    if (failure === undefined) return { class: 'delivered', status };
    return failure === 'too-large' ? { class: failure, status } : { class: failure };
  }
  const isAsked = retryAfter !== undefined && retryAfterStatuses.includes(status);
  const retryAfterSeconds = isAsked ? readRetryAfter(retryAfter, now) : undefined;
  return { class: 'http', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

// Lambda freezes a function between invocations, and its timers with it: connections may have died meanwhile.
const idleLimitMs = 2000;

/**
 * Delivers by POST, signed. Any 2xx whose answer ends by the deadline is delivered; redirects are not followed, and
 * proxies of the environment are not used.
 */
export function httpSender(options: HttpSenderOptions): Sender & { close(): Promise<void> } {
  const { guard, sign, now } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const newAgent = () =>
    new Agent({
      connect: connector({ timeoutMs, lookup: guard.lookup }),
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

  return {
    async deliver(message, recipient, onBegun) {
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
      const dispatcher = agentForNext();
      underWay++;
      try {
        return outcomeOf(await exchange(dispatcher, request, timeoutMs, onBegun), now());
      } finally {
        underWay--;
        idleSince = now();
      }
    },
    close: () => agent.close(),
  };
}
