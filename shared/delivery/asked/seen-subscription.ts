import { viewerOf } from '../../domain/subscriptions/client-view.ts';
import { seenBy } from '../../domain/subscriptions/seen-by.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';

interface Asking {
  readonly path: { readonly uuid: string };
  readonly client: string;
  readonly isAdmin: boolean;
}

interface SeenTools {
  readonly subscriptions: { get(uuid: string, now: number): Promise<StoredSubscription | undefined> };
  readonly settings: Parameters<typeof viewerOf>[1];
  readonly now: () => number;
}

/** The subscription that a request names, as whoever asks sees it now. @throws Refusal `unknownSubscription` where there is none for them */
export async function seenSubscription(request: Asking, tools: SeenTools): Promise<StoredSubscription> {
  const now = tools.now();
  return seenBy(viewerOf(request, tools.settings), await tools.subscriptions.get(request.path.uuid, now), now);
}
