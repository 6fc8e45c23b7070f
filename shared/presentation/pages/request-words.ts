import { replacedBy } from '../../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest } from '../../domain/subscriptions/subscription.ts';
import type { MailTexts } from '../languages/texts.ts';

/** What mails and pages have in common. */
type Texts = Pick<MailTexts, 'writing' | 'request'>;

/** Several as one sentence names them. */
export const inList = ({ locale }: Texts['writing'], words: readonly string[]): string =>
  new Intl.ListFormat(locale).format(words);

/** What confirming a request means for a subscription as it stands, for a person who is asked to. */
export function consequence(
  { writing, request: texts }: Texts,
  stored: Parameters<typeof replacedBy>[0],
  request: ConfirmationRequest,
): string {
  if (!stored.isActive) return texts.begins;
  const changes = replacedBy(stored, request).map((part) => texts.changes[part]);
  return changes.length === 0 ? texts.repeats : texts.replaces(inList(writing, changes));
}
