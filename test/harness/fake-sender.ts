import type { Sender, SendResult } from '../../shared/delivery/delivery-context.ts';
import type { Interference } from './interference.ts';

/** One call to the sender, successful or not. */
export interface Post {
  readonly messageId: string;
  readonly type: 'Notification' | 'SubscriptionConfirmation';
  readonly uuid: string;
  readonly body: string;
  readonly token: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly isAccepted: boolean;
}

/**
 * Chooses the outcome of a POST request. `tries` is the number of earlier requests that sent the same message to the
 * same subscription.
 */
export type ChooseOutcome = (
  post: Pick<Post, 'messageId' | 'type' | 'uuid'>,
  tries: number,
) => SendResult | Promise<SendResult>;

export const accepts: ChooseOutcome = () => ({ class: 'delivered' });
export const rejects: ChooseOutcome = () => ({ class: 'http', status: 503 });

/** Creates a sender that records its calls and returns the outcomes chosen by the test. */
export function createFakeSender(interference: () => Interference) {
  const posts: Post[] = [];
  let answering = accepts;
  const tries = (messageId: string, uuid: string) =>
    posts.filter((post) => post.messageId === messageId && post.uuid === uuid);

  const sender: Sender = {
    deliver({ messageId, type, body, confirmation }, { uuid }) {
      const asked = { messageId, type, uuid };
      const post = async () => {
        const outcome = await answering(asked, tries(messageId, uuid).length);
        const [token, at] = [confirmation?.token, Date.now()];
        posts.push({ ...asked, body: body.toString(), token, at, isAccepted: outcome.class === 'delivered' });
        return outcome;
      };
      return interference().call?.({ command: 'POST', input: asked }, post) ?? post();
    },
  };

  return {
    sender,
    posts,
    /** Returns all POST requests that sent a given message to a given subscription. */
    tries,
    /** Returns the UUIDs of the subscriptions that accepted a message, one UUID for each acceptance. */
    accepted: (messageId: string): string[] =>
      posts.filter((post) => post.messageId === messageId && post.isAccepted).map(({ uuid }) => uuid),
    /** Sets how the outcomes of all later POST requests are chosen. */
    answer(next: ChooseOutcome): void {
      answering = next;
    },
  };
}
