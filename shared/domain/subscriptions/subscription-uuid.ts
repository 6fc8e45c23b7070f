import { keyedUuid } from '../name-uuid.ts';

/**
 * The uuid of the subscription of this address to this topic; the address in its normalised form, the key that of
 * `subscription ids`.
 */
export const subscriptionUuid = (key: Uint8Array, topic: string, protocol: string, address: string): string =>
  keyedUuid(key, 'subscription', topic, protocol, address);
