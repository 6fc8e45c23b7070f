import type { Sender } from '../../shared/delivery/engine/sender.ts';
import type { Outcome } from '../../shared/model/deliveries/outcome.ts';
import type { Interference } from './interference.ts';

/** What a sender was given, whatever became of it. */
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

/** Decides how a POST ends; `tries` were made before with this message to this subscription. */
export type Answering = (post: Pick<Post, 'messageId' | 'type' | 'uuid'>, tries: number) => Outcome | Promise<Outcome>;

export const accepts: Answering = () => ({ class: 'delivered' });
export const refuses: Answering = () => ({ class: 'http', status: 503 });

/** A sender that keeps what it is given, and answers as the test says. */
export function answeringSender(interference: () => Interference) {
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
    /** The posts of a message to a subscription. */
    tries,
    /** The subscriptions that have accepted a message, once for each time. */
    accepted: (messageId: string): string[] =>
      posts.filter((post) => post.messageId === messageId && post.isAccepted).map(({ uuid }) => uuid),
    /** From now on posts end like this. */
    answer(next: Answering): void {
      answering = next;
    },
  };
}
