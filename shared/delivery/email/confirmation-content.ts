import { showConfirmation } from '../../contract/endpoints/pages-endpoints.ts';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { requestOfToken } from '../../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { isEventType } from '../../domain/topics/event.ts';
import { isolated } from '../../presentation/languages/isolated.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import { consequence, topicWords } from '../../presentation/pages/request-words.ts';
import { inLine, type MailContent } from './mail-content.ts';

/**
 * Writes the opening paragraph. The paragraph omits the subjects that the caller chose, because the recipient did not
 * ask for the email.
 */
function openingOf(
  { texts, letterhead }: MailFrame,
  message: ComposedMessage,
  token: string,
  recipient: StoredSubscription,
): string {
  const { writing, confirm, eventNames } = texts;
  const topic = writing.quoted(inLine(topicWords(texts, message)));
  const organisation = letterhead.name && isolated(letterhead.name);
  const request = requestOfToken(recipient, token);
  if (request === undefined) return confirm.asked(topic, organisation);
  const { subjects } = request;
  const others = subjects.filter((name) => !isEventType(name)).length;
  const known = subjects.filter(isEventType).map((type) => eventNames[type]);
  const named = [...known, ...(others === 0 ? [] : [confirm.more(others)])];
  return `${confirm.asked(topic, organisation, writing.listed(named))} ${consequence(texts, recipient, request)}`;
}

/** Writes the email that requests a confirmation. */
export const confirmationContent = (
  frame: MailFrame,
  message: ComposedMessage,
  { token }: { token: string },
  recipient: StoredSubscription,
): MailContent => {
  const { request, confirm } = frame.texts;
  return {
    // The subject line contains no text from the caller, because the recipient did not ask for this email.
    subject: request.title,
    heading: request.title,
    opening: openingOf(frame, message, token, recipient),
    button: {
      url: `${message.baseUrl}${showConfirmation.path}?token=${token}`,
      label: request.button,
      address: confirm.address,
    },
    rows: [],
    closing: confirm.otherwise(tokenLifetimeDays),
    notes: [],
  };
};
