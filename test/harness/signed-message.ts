import type { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { signer } from '../../shared/delivery/signing/signature.ts';
import { composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import { aConfirmation, aNotification, aSubscription, aTopic } from './builders.ts';
import { startReceiver } from './receiver.ts';
import { aSender } from './sender.ts';

/** A received delivery, and the public keys that verify its signature. */
export interface Delivery {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly jwks: { keys: object[] };
}
export type Key = ReturnType<typeof signingKey>;

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;

/** Returns an event message with the given subject and a body in UTF-8. */
export const event = (subject: string | undefined) =>
  composeMessage(aNotification(aTopic(), { subject }), Buffer.from('{"uin":"décès"}').toString('base64'), settings);

/** The confirmation request. */
export const confirmation = () => composeMessage(aConfirmation(aSubscription()), '', settings);

/** Sends a delivery over HTTP, signed with the given keys, and returns the request that arrived. */
export async function delivered(
  message: ReturnType<typeof event>,
  keys: readonly Key[],
  secondsAhead = 0,
): Promise<Delivery> {
  const receiver = await startReceiver();
  const now = () => Date.now() + secondsAhead * 1000;
  const sender = aSender({ sign: signer({ keys: async () => [...keys], hasHmac: true, now }) });
  await sender.deliver(message, { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', address: receiver.url });
  await sender.close();
  const [received] = receiver.received;
  const headers = Object.entries(received?.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
  const jwks = { keys: keys.map(({ publicKey }) => publicKey) };
  return { headers, body: received?.body.toString('base64') ?? '', jwks };
}
