import { createHash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** Repeated requests with the same key are recognised for 24 hours. */
export const idempotencyKeySeconds = 24 * 3600;

/**
 * Returns a hash of the caller, the key and the stored attributes. The hash identifies repeated requests. The order of
 * the attributes does not matter. A request with the same key but different attributes is a new request, because
 * clients may register twins in one transaction.
 */
export function idempotencyHash(caller: string, key: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caller, key, sorted]))
    .digest('hex');
}
