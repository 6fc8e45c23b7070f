import { ClientError } from '../client-errors.ts';
import { channelOf } from '../deliveries/channels.ts';
import { hasControlCharacters } from '../text.ts';
import type { Protocol } from './subscription.ts';

/** Masks an address for display on pages, so that the owner recognises the address but other readers cannot use it. */
export const maskAddress = ({ protocol, address }: { protocol: Protocol; address: string }): string =>
  channelOf(protocol).maskAddress(address);

/** Returns the normalised address, which identifies a subscription. @throws ClientError `invalidParameter` */
export function normaliseAddress(protocol: Protocol, address: string): string {
  const trimmed = address.trim();
  if (hasControlCharacters(trimmed)) {
    throw new ClientError('invalidParameter', 'address must not contain control characters');
  }
  return channelOf(protocol).normaliseAddress(trimmed);
}
