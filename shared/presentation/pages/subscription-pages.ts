import { changedParts } from '../../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { maskAddress } from '../../domain/subscriptions/subscription-address.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { isEventType } from '../../domain/topics/event.ts';
import { isolated } from '../languages/isolated.ts';
import { bidiHtml, button, type Html, html } from './html.ts';
import type { Frame } from './letterhead.ts';
import { writePage } from './page.ts';
import { consequence, topicWords } from './request-words.ts';

type Shown = Pick<StoredSubscription, 'topicName' | 'topicTitle' | 'address' | 'protocol' | 'subjects'>;
type Subjects = StoredSubscription['subjects'];

/**
 * Translates the names of event types and quotes all other subjects, because recipients must understand what they agree
 * to.
 */
function filter({ writing, eventNames, allEvents }: Frame['texts'], subjects: Subjects): string {
  const worded = subjects.map((name) => (isEventType(name) ? eventNames[name] : writing.quoted(isolated(name))));
  return worded.length === 0 ? allEvents : writing.listed(worded);
}

const fact = (term: string, words: string): Html => html`<dt>${term}</dt><dd>${bidiHtml(words)}</dd>
`;

// The page names the subscription but masks its address, because links may be forwarded.
function facts({ texts }: Frame, subscription: Shown, before: Subjects = subscription.subjects): Html {
  const { subjects } = subscription;
  return html`<dl>
${[
  fact(texts.topic, isolated(topicWords(texts, subscription))),
  fact(texts.address, isolated(maskAddress(subscription))),
  ...([...subjects, ...before].length > 0 ? [fact(texts.events, filter(texts, subjects))] : []),
  ...(before === subjects ? [] : [fact(texts.eventsBefore, filter(texts, before))]),
]}</dl>`;
}

interface Words {
  readonly title: string;
  readonly lead: string;
  /** The label of the button that sends the page's own URL in a POST request. */
  readonly button?: string;
  readonly otherwise?: string;
}

const quiet = (content: string | Html): Html => html`<p class="quiet">${content}</p>`;

const wordsPage = (frame: Frame, words: Words, shownFacts?: Html, more?: Html): string =>
  writePage(
    frame,
    words.title,
    html`<p>${words.lead}</p>${shownFacts}${words.button && button(words.button)}${words.otherwise && quiet(words.otherwise)}${more}`,
  );

export const stopRequestsPage = (frame: Frame): string => wordsPage(frame, frame.texts.neverAsk);

export const requestsStoppedPage = (frame: Frame): string => wordsPage(frame, frame.texts.neverAsked);

/**
 * Renders the page on which a recipient confirms a request. `stopRequestsToken` is the token of the link that stops
 * confirmation requests.
 */
export function confirmPage(
  frame: Frame,
  stored: StoredSubscription,
  request: ConfirmationRequest,
  stopRequestsToken?: string,
): string {
  const { texts } = frame;
  const before = changedParts(stored, request).includes('subjects') ? stored.subjects : undefined;
  return wordsPage(
    frame,
    {
      ...texts.request,
      lead: `${texts.confirm.lead} ${consequence(texts, stored, request)}`,
      otherwise: texts.confirm.otherwise(tokenLifetimeDays),
    },
    facts(frame, { ...stored, subjects: request.subjects }, before),
    stopRequestsToken === undefined
      ? undefined
      : quiet(html`<a href="never-ask?token=${stopRequestsToken}">${texts.request.never}</a>`),
  );
}

export const confirmedPage = (frame: Frame, subscription: Shown): string =>
  wordsPage(frame, frame.texts.confirmed, facts(frame, subscription));

export const unsubscribePage = (frame: Frame, subscription: Shown): string =>
  wordsPage(frame, { ...frame.texts.unsubscribe, button: frame.texts.leave }, facts(frame, subscription));

/**
 * Renders the page shown after an unsubscribe request; `subscription` is undefined if the subscription no longer
 * exists.
 */
export function unsubscribedPage(frame: Frame, subscription: Shown | undefined): string {
  const { unsubscribed } = frame.texts;
  return subscription === undefined
    ? wordsPage(frame, { ...unsubscribed, lead: unsubscribed.gone })
    : wordsPage(frame, unsubscribed, facts(frame, subscription));
}
