import { Agent, type Dispatcher, request } from 'undici';
import type { Outcome } from '../model/delivery.ts';
import type { Channel } from './channel.ts';

const answerLimit = 64 * 1024;

const outcomeOfCode: Readonly<Record<string, Outcome['class']>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};

const isTlsCode = (code: string): boolean =>
  /^ERR_(TLS|SSL|OSSL)/.test(code) || /(CERT|SIGNATURE|ISSUER|EPROTO|SELF_SIGNED)/.test(code);

function classOf(error: unknown, isLate: boolean): Outcome['class'] {
  if (isLate) return 'timeout';
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  return outcomeOfCode[code] ?? (isTlsCode(code) ? 'tls' : 'connection');
}

/** Reads the answer to its end, within the limit, so that the connection can serve again; beyond it, cuts it off. */
async function drain(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerLimit) return;
  }
}

/**
 * Delivers by POST. Any 2xx within `timeoutSeconds` (connect, headers and body together) is delivered; redirects are not
 * followed.
 */
export function httpChannel({ timeoutSeconds }: { timeoutSeconds: number }): Channel & { close(): Promise<void> } {
  const agent = new Agent({ connect: { timeout: timeoutSeconds * 1000 }, keepAliveTimeout: 30_000 });
  return {
    async deliver(message, recipient) {
      const deadline = AbortSignal.timeout(timeoutSeconds * 1000);
      try {
        const { statusCode, body } = await request(recipient.address, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            ...message.headers,
            'subscription-id': recipient.uuid,
            'content-type': message.contentType,
            'accept-encoding': 'identity',
            'user-agent': 'identity-registry-notification',
          },
          body: message.body,
          signal: deadline,
        });
        await drain(body);
        return { class: statusCode >= 200 && statusCode < 300 ? 'delivered' : 'http', status: statusCode };
      } catch (error) {
        return { class: classOf(error, deadline.aborted) };
      }
    },
    close: () => agent.close(),
  };
}
