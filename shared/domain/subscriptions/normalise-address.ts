import { Refusal } from '../../model/refusals.ts';
import { channelOf } from '../deliveries/channels.ts';
import { hasControlCharacters } from '../text.ts';
import type { Protocol } from './subscription.ts';

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
