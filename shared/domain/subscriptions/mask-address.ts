import { channelOf } from '../deliveries/channels.ts';
import type { Protocol } from './subscription.ts';

/** An address as a page may show it: enough for its owner to know it, too little for anybody else to use it. */
export const maskAddress = ({ protocol, address }: { protocol: Protocol; address: string }): string =>
  channelOf(protocol).maskAddress(address);
