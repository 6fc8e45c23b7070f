import { replacedBy } from '../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest } from '../model/subscriptions/subscription.ts';

// Mail and page say the same, and no function loads for it what else pages say.
const words = {
  begins: 'Nothing is sent until you confirm.',
  replaces: 'It is told of some already, and that stays as it is until you confirm. Confirming changes',
  repeats: 'It is told of them already: confirming changes nothing.',
  changes: {
    subjects: 'which events it is told of',
    policy: 'how a delivery that failed is tried again',
    caller: 'which client the subscription belongs to',
  },
};

const list = new Intl.ListFormat('en-GB');

/** Several as one sentence names them. */
export const inList = (words: readonly string[]): string => list.format(words);

/** What confirming a request means for a subscription as it stands, for a person who is asked to. */
export function consequence(stored: Parameters<typeof replacedBy>[0], request: ConfirmationRequest): string {
  if (!stored.isActive) return words.begins;
  const changes = replacedBy(stored, request).map((part) => words.changes[part]);
  return changes.length === 0 ? words.repeats : `${words.replaces} ${inList(changes)}.`;
}
