import { createHash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** Repeated requests with the same key are recognized for 24 hours. */
export const idempotencyKeySeconds = 24 * 3600;

/**
 * Returns a hash of the caller, the key and the stored attributes, which identifies a repeated request. Attribute order
 * is irrelevant. A request with the same key but other attributes is a new request, because one transaction may
 * register twins.
 */
export function idempotencyHash(caller: string, key: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caller, key, sorted]))
    .digest('hex');
}
