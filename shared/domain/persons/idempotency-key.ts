import { createHash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** Repeated requests with the same key are recognized for 24 hours. */
export const idempotencyKeySeconds = 24 * 3600;

/**
 * Returns a hash that identifies a repeated request: a hash of the caller, the key and the stored attributes in any
 * order. The same key with other attributes is a new request, because twins may be registered in one transaction.
 */
export function idempotencyHash(caller: string, key: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caller, key, sorted]))
    .digest('hex');
}
