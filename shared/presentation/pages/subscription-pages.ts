import { changedParts } from '../../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { maskAddress } from '../../domain/subscriptions/subscription-address.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { isEventType } from '../../domain/topics/event.ts';
import { isolated } from '../languages/isolated.ts';
import { bidiHtml, button, type Html, html } from './html.ts';
import { type Frame, writePage } from './page.ts';
import { consequence, topicWords } from './request-words.ts';

export const stopRequestsPage = (frame: Frame): string => {
  const { title, lead, button: label, otherwise } = frame.texts.neverAsk;
  return writePage(frame, title, html`<p>${lead}</p>${button(label)}<p class="quiet">${otherwise}</p>`);
};

export const requestsStoppedPage = (frame: Frame): string => {
  const { title, lead, otherwise } = frame.texts.neverAsked;
  return writePage(frame, title, html`<p>${lead}</p><p class="quiet">${otherwise}</p>`);
};

type Shown = Pick<StoredSubscription, 'topicName' | 'topicTitle' | 'address' | 'protocol' | 'subjects'>;
type Subjects = StoredSubscription['subjects'];

/**
 * Translates the names of event types and quotes all other subjects, because recipients must understand what they agree
 * to.
 */
function filter({ texts: { writing, eventNames, allEvents } }: Frame, subjects: Subjects): string {
  const worded = subjects.map((name) => (isEventType(name) ? eventNames[name] : writing.quoted(isolated(name))));
  return worded.length === 0 ? allEvents : writing.listed(worded);
}

const fact = (term: string, words: string): Html => html`<dt>${term}</dt><dd>${bidiHtml(words)}</dd>
`;

// The page names the subscription but masks its address, because links may be forwarded.
function facts(frame: Frame, subscription: Shown, before: Subjects = subscription.subjects): Html {
  const { texts } = frame;
  const { subjects } = subscription;
  return html`<dl>
${[
  fact(texts.topic, isolated(topicWords(texts, subscription))),
  fact(texts.address, isolated(maskAddress(subscription))),
  ...([...subjects, ...before].length > 0 ? [fact(texts.events, filter(frame, subjects))] : []),
  ...(before === subjects ? [] : [fact(texts.eventsBefore, filter(frame, before))]),
]}</dl>`;
}

interface Question {
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  readonly otherwise: string;
}

const questionPage = (frame: Frame, question: Question, shownFacts: Html, more?: Html): string =>
  writePage(
    frame,
    question.title,
    html`<p>${question.lead}</p>${shownFacts}${button(question.button)}<p class="quiet">${question.otherwise}</p>${more}`,
  );

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
  const { subjects } = request;
  const isOther = changedParts(stored, request).includes('subjects');
  const { texts } = frame;
  return questionPage(
    frame,
    {
      ...texts.request,
      lead: `${texts.confirm.lead} ${consequence(texts, stored, request)}`,
      otherwise: texts.confirm.otherwise(tokenLifetimeDays),
    },
    facts(frame, { ...stored, subjects }, isOther ? stored.subjects : subjects),
    stopRequestsToken === undefined
      ? undefined
      : html`<p class="quiet"><a href="never-ask?token=${stopRequestsToken}">${texts.request.never}</a></p>`,
  );
}

export function confirmedPage(frame: Frame, subscription: Shown): string {
  const { title, lead, otherwise } = frame.texts.confirmed;
  return writePage(frame, title, html`<p>${lead}</p>${facts(frame, subscription)}<p class="quiet">${otherwise}</p>`);
}

export const unsubscribePage = (frame: Frame, subscription: Shown): string =>
  questionPage(frame, frame.texts.unsubscribe, facts(frame, subscription));

/**
 * Renders the page shown after an unsubscribe request; `subscription` is undefined if the subscription no longer
 * exists.
 */
export function unsubscribedPage(frame: Frame, subscription: Shown | undefined): string {
  const { title, lead, gone } = frame.texts.unsubscribed;
  return writePage(
    frame,
    title,
    subscription === undefined ? html`<p>${gone}</p>` : html`<p>${lead}</p>${facts(frame, subscription)}`,
  );
}
