import { createHash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** A key makes a mint repeatable for 24 hours. */
export const mintKeyLifetimeSeconds = 24 * 3600;

/**
 * What a repeated mint is recognised by: the caller, the key and the attributes in their stored form, whatever their
 * order. The same key with other attributes is another mint: twins are registered in one transaction.
 */
export function mintKeyHash(caller: string, key: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caller, key, sorted]))
    .digest('hex');
}
