import { confirmSubscription, subscribe } from '../../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic } from '../../../shared/contract/endpoints/topics-endpoints.ts';
import type { LocalStack } from '../start.ts';
import type { Client, Query } from './client.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { waitFor } from './wait-for.ts';

export const topicName = 'civil-registration';

export interface Subscribers {
  readonly receivers: Readonly<Record<'steady' | 'fragile', Receiver>>;
  readonly mailbox: Mailbox;
  /** The UUID of the subscription that the receiver `fragile` has. */
  readonly fragileUuid: string;
  delivered(): Promise<number>;
  stop(): Promise<void>;
}

export const subscriberCount = 3;

// Failed deliveries are retried every two seconds, because the demo simulates a year in less than a minute by default.
const policy = '2,10000';

export async function openSubscribers(client: Client, { outputs, issueToken }: LocalStack): Promise<Subscribers> {
  await client(createTopic, { query: { name: topicName, title: 'Civil registration' } });
  const accessToken = () => issueToken({ scope: confirmSubscription.scopes.join(' ') });
  const registry = { registry: outputs.baseUrl, accessToken };
  const [steady, fragile] = await Promise.all([startReceiver(registry), startReceiver(registry)]);
  const receivers = [steady, fragile];
  const stop = async () => {
    await Promise.all(receivers.map((one) => one.stop()));
  };
  const mailbox = openMailbox(outputs.inboxUrl, 'clerk@example.org');
  const requestSubscription = async (query: Query): Promise<string> => {
    const subscription = await client(subscribe, { query: { topic: topicName, policy, ...query } });
    if (subscription === undefined) throw new Error('the topic no longer exists');
    return subscription.uuid;
  };
  let fragileUuid: string;
  try {
    await requestSubscription({ address: steady.url });
    fragileUuid = await requestSubscription({ address: fragile.url });
    await requestSubscription({ protocol: 'email', address: mailbox.address });
    await mailbox.confirm();
    await waitFor('a confirmation', () => receivers.every((one) => one.isConfirmed()) || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  // Excludes the first email, which is the confirmation request.
  const mails = async () => (await mailbox.mails()).length - 1;
  return {
    receivers: { steady, fragile },
    mailbox,
    fragileUuid,
    delivered: async () => receivers.reduce((sum, { stored }) => sum + stored.size, await mails()),
    stop,
  };
}
