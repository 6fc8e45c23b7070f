import { composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import { aNotification, aTopic } from '../harness/builders.ts';

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;

/** A notification as a channel gets it. */
export const aMessage = (body: string | Uint8Array = '{}') =>
  composeMessage(aNotification(aTopic({ name: 'CR' })), Buffer.from(body as string).toString('base64'), settings);
