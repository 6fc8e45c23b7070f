import { createHmac, sign } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

/**
 * The three headers of Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` in seconds, and `webhook-signature`, one
 * signature for each key with a space between: `v1a,` and base64 of Ed25519, `v1,` and base64 of HMAC-SHA256, over
 * `<id>.<timestamp>.<body>`.
 */
export function webhookHeaders(
  { messageId, body }: { readonly messageId: string; readonly body: Buffer },
  keys: readonly SigningKey[],
  hasHmac: boolean,
  seconds: number,
): Record<string, string> {
  const content = Buffer.concat([Buffer.from(`${messageId}.${seconds}.`), body]);
  const signatures = keys.flatMap(({ privateKey, hmacKey }) => [
    `v1a,${sign(null, content, privateKey).toString('base64')}`,
    ...(hasHmac ? [`v1,${createHmac('sha256', hmacKey).update(content).digest('base64')}`] : []),
  ]);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
