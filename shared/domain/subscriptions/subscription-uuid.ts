import { nameUuid } from '../name-uuid.ts';

/** The uuid of the subscription of this address to this topic; the address in its normalised form. */
export const subscriptionUuid = (topic: string, protocol: string, address: string): string =>
  nameUuid('subscription', topic, protocol, address);
