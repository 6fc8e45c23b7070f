import { subscribe } from '../../../shared/contract/endpoints/subscriptions.ts';
import { createTopic } from '../../../shared/contract/endpoints/topics.ts';
import type { Client, Query } from './client.ts';
import { documentedVerifier } from './documented-verifier.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { waitFor } from './wait-for.ts';

export const topicName = 'civil-registration';

/** Who is told of everything: two programs and a person. */
export interface Subscribers {
  /** By what they are called. */
  readonly receivers: Readonly<Record<'steady' | 'fragile', Receiver>>;
  readonly mailbox: Mailbox;
  /** How many deliveries have arrived. */
  delivered(): Promise<number>;
  stop(): Promise<void>;
}

export const subscriberCount = 3;

// A minute is a year: what fails is tried again soon, and often enough.
const policy = '2,10000';

/** Subscribes them to a topic, and waits until each has confirmed in its own way. */
export async function openSubscribers(client: Client, inboxUrl: string): Promise<Subscribers> {
  await client(createTopic, { query: { name: topicName } });
  const verify = await documentedVerifier();
  const [steady, fragile] = await Promise.all([startReceiver(client, verify), startReceiver(client, verify)]);
  const receivers = [steady, fragile];
  const stop = async () => {
    await Promise.all(receivers.map((one) => one.stop()));
  };
  const mailbox = openMailbox(inboxUrl, 'clerk@example.org');
  const ask = (query: Query) => client(subscribe, { query: { topic: topicName, policy, ...query } });
  try {
    await Promise.all(receivers.map(({ url }) => ask({ address: url })));
    await ask({ protocol: 'email', address: mailbox.address });
    await mailbox.confirm();
    await waitFor('a confirmation', () => receivers.every((one) => one.isConfirmed()) || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  // The first mail asked to confirm.
  const mails = async () => (await mailbox.mails()).length - 1;
  return {
    receivers: { steady, fragile },
    mailbox,
    delivered: async () => receivers.reduce((sum, { taken }) => sum + taken.size, await mails()),
    stop,
  };
}
