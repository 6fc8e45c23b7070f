import { Refusal } from '../../model/refusals.ts';
import type { Protocol } from '../../model/subscriptions/subscription.ts';
import { hasControlCharacters } from '../../model/text.ts';
import { channelOf } from '../deliveries/channels.ts';

/**
 * The one form of an address, which its subscription's uuid is made of.
 * @throws Refusal `invalidParameter` naming `address`
 */
export function normaliseAddress(protocol: Protocol, address: string): string {
  const trimmed = address.trim();
  if (hasControlCharacters(trimmed)) {
    throw new Refusal('invalidParameter', 'address must not contain control characters');
  }
  return channelOf(protocol).normaliseAddress(trimmed);
}
