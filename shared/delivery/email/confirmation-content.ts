import { showConfirmation } from '../../contract/endpoints/pages.ts';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { requestOfToken } from '../../domain/subscriptions/confirmation-state.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { isEventType } from '../../domain/topics/event.ts';
import { isolated } from '../../presentation/languages/isolated.ts';
import { consequence, inList } from '../../presentation/pages/request-words.ts';
import type { MailContent } from './content.ts';
import type { MailFrame } from './mail-frame.ts';
import type { MailRecipient } from './mail-recipient.ts';
import { inLine } from './others-words.ts';

/** What the request asks for. What its caller names by itself stands on the page: nobody has consented to this mail yet. */
function askedFor({ texts }: MailFrame, message: ComposedMessage, token: string, recipient: MailRecipient): string {
  const { writing, confirm, eventNames } = texts;
  const topic = writing.quoted(inLine(message.topicName));
  const request = requestOfToken(recipient, token);
  if (request === undefined) return confirm.asked(topic);
  const { subjects } = request;
  const others = subjects.filter((name) => !isEventType(name)).length;
  const known = subjects.filter(isEventType).map((type) => eventNames[type]);
  const named = [...known, ...(others === 0 ? [] : [confirm.more(others)])];
  const asked = named.length === 0 ? confirm.asked(topic) : confirm.askedOnly(topic, inList(writing, named));
  return `${asked} ${consequence(texts, recipient, request)}`;
}

/** What a mail says that asks to confirm. `footUrl` is the way never to be asked again. */
export const confirmationContent = (
  frame: MailFrame,
  message: ComposedMessage,
  { url, token }: { url: string; token: string },
  recipient: MailRecipient,
  footUrl: string | undefined,
): MailContent => {
  const { request, confirm } = frame.texts;
  return {
    // Its subject is ours alone, for the same reason.
    subject: request.title,
    heading: request.title,
    opening: askedFor(frame, message, token, recipient),
    button: {
      url: `${message.baseUrl}${showConfirmation.path}?token=${token}`,
      label: request.button,
      address: confirm.address,
    },
    rows: [],
    closing: confirm.otherwise(tokenLifetimeDays),
    notes: [confirm.programs(isolated(url)), confirm.token(isolated(token))],
    ...(footUrl === undefined ? {} : { link: { url: footUrl, label: request.never } }),
  };
};
