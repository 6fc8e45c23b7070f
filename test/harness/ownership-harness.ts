import { handler as listDeliveries } from '../../functions/deliveries/list-deliveries.ts';
import { handler as recoverSubscription } from '../../functions/deliveries/recover-subscription.ts';
import { handler as redeliverMessage } from '../../functions/deliveries/redeliver-message.ts';
import { handler as changeSubscription } from '../../functions/subscriptions/change-subscription.ts';
import { handler as confirmSubscription } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as listSubscriptions } from '../../functions/subscriptions/list-subscriptions.ts';
import { handler as readSubscription } from '../../functions/subscriptions/read-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import { handler as testSubscription } from '../../functions/subscriptions/test-subscription.ts';
import { handler as unsubscribe } from '../../functions/subscriptions/unsubscribe.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { noon } from './builders.ts';
import { useDeliveryHarness } from './delivery-harness.ts';
import type { GivenSettings } from './variables.ts';

/** The callers: the subscription's owner, another client, an admin, and a client whose token has no client name. */
export const roles = ['owner', 'other', 'admin', 'nameless'] as const;
export type Role = (typeof roles)[number];

const hourMs = 3_600_000;

/** Returns functions that call the subscription operations in a given role. */
export function useOwnership(subscriptionOwnership: 'shared' | 'caller', settings: GivenSettings = {}) {
  const harness = useDeliveryHarness({ ...settings, subscriptionOwnership });
  const by = (role: Role) => ({ caller: role === 'nameless' ? '' : role, isAdmin: role === 'admin' });

  const list = (role: Role, query = '') => harness.call(listSubscriptions, { ...by(role), query });
  const onOne = (handler: typeof readSubscription) => (role: Role, uuid: string, query?: string) =>
    harness.call(handler, { ...by(role), path: { uuid }, ...(query !== undefined && { query }) });
  const change = (role: Role, uuid: string, patch: object = { policy: '7,7' }) =>
    harness.call(changeSubscription, { ...by(role), path: { uuid }, body: JSON.stringify(patch) });
  const redeliver = (role: Role, uuid: string, messageId: string) =>
    harness.call(redeliverMessage, { ...by(role), path: { uuid, messageId } });
  const ask = (role: Role, { topicUuid, address, protocol }: StoredSubscription, policy = '9,9') =>
    harness.call(subscribe, {
      ...by(role),
      query: new URLSearchParams({ topic: topicUuid, address, protocol, policy }).toString(),
    });
  const tokens = (uuid: string): string[] =>
    harness.posts.flatMap((post) => (post.uuid === uuid && post.token !== undefined ? [post.token] : []));
  const confirm = (role: Role, token: string) =>
    harness.call(confirmSubscription, { ...by(role), query: `token=${token}` });

  return {
    ...harness,
    list,
    read: onOne(readSubscription),
    change,
    test: onOne(testSubscription),
    unsubscribe: onOne(unsubscribe),
    deliveries: onOne(listDeliveries),
    redeliver,
    recover: onOne(recoverSubscription),
    ask,
    confirm,
    /** Creates an active subscription that belongs to the client `owner` and was confirmed an hour ago. */
    async owned(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
      const topic = await harness.newTopic('CR');
      const own = { owner: 'owner', confirmedAt: noon - hourMs, requests: {} };
      const [one] = await harness.subscribed(topic, { ...own, ...given });
      return one;
    },
    /** Returns the confirmation tokens that were sent to a subscription's address, oldest first. */
    tokens,
    /** Subscribes an address as the given client. Returns the token that the address receives. */
    async asked(role: Role, who: StoredSubscription, policy?: string): Promise<string> {
      await ask(role, who, policy);
      await harness.work();
      return tokens(who.uuid).at(-1) ?? '';
    },
  };
}
