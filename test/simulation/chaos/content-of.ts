import type { History } from './history.ts';
import type { Broken } from './judged.ts';

/** What was answered 200 under an id is what everybody got under it: a key that was used stands for no other event. */
export function* keepsItsContent({ history }: { readonly history: History }): Generator<Broken> {
  const taken = Map.groupBy(history.publications, ({ messageId }) => messageId);
  for (const [messageId, publications] of taken) {
    const bodies = new Set(publications.map(({ body }) => body));
    for (const { body, type } of history.posts.filter((post) => post.messageId === messageId))
      if (type === 'Notification') bodies.add(body);
    if (bodies.size > 1) yield { invariant: 'an id stands for one event', what: messageId };
  }
}
