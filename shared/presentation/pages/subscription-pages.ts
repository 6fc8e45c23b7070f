import { replacedBy } from '../../domain/subscriptions/confirmation-requests.ts';
import { maskAddress } from '../../domain/subscriptions/mask-address.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { isEventType } from '../../domain/topics/event.ts';
import type { Frame } from '../../pages/frame.ts';
import { isolated } from '../languages/isolated.ts';
import { button, type Html, html, said } from './html.ts';
import { writePage } from './page.ts';
import { consequence, inList } from './request-words.ts';

type Shown = Pick<StoredSubscription, 'topicName' | 'address' | 'protocol' | 'subjects'>;
type Subjects = StoredSubscription['subjects'];

/** Its types in words, what the caller names by itself in quotes: all of them, for whoever agrees must know to what. */
function filter({ texts: { writing, eventNames, allEvents } }: Frame, subjects: Subjects): string {
  const worded = subjects.map((name) => (isEventType(name) ? eventNames[name] : writing.quoted(isolated(name))));
  return worded.length === 0 ? allEvents : inList(writing, worded);
}

const fact = (term: string, words: string): Html => html`<dt>${term}</dt><dd>${said(words)}</dd>
`;

// Whoever holds the link may be told which subscription it is for, not the address itself: links get forwarded.
function facts(frame: Frame, subscription: Shown, before: Subjects = subscription.subjects): Html {
  const { texts } = frame;
  const { subjects } = subscription;
  return html`<dl>
${[
  fact(texts.topic, isolated(subscription.topicName)),
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

const ask = (frame: Frame, question: Question, shownFacts: Html, more?: Html): string =>
  writePage(
    frame,
    question.title,
    html`<p>${question.lead}</p>${shownFacts}${button(question.button)}<p class="quiet">${question.otherwise}</p>${more}`,
  );

/** What confirming this request makes of the subscription. `neverAskToken`: of the link by which a mailbox is never asked again. */
export function confirmPage(
  frame: Frame,
  stored: StoredSubscription,
  request: ConfirmationRequest,
  neverAskToken?: string,
): string {
  const { subjects } = request;
  const isOther = replacedBy(stored, request).includes('subjects');
  const { texts } = frame;
  return ask(
    frame,
    {
      ...texts.request,
      lead: `${texts.confirm.lead} ${consequence(texts, stored, request)}`,
      otherwise: texts.confirm.otherwise(tokenLifetimeDays),
    },
    facts(frame, { ...stored, subjects }, isOther ? stored.subjects : subjects),
    neverAskToken === undefined
      ? undefined
      : html`<p class="quiet"><a href="never-ask?token=${neverAskToken}">${texts.request.never}</a></p>`,
  );
}

export function confirmedPage(frame: Frame, subscription: Shown): string {
  const { title, lead, otherwise } = frame.texts.confirmed;
  return writePage(frame, title, html`<p>${lead}</p>${facts(frame, subscription)}<p class="quiet">${otherwise}</p>`);
}

export const unsubscribePage = (frame: Frame, subscription: Shown): string =>
  ask(frame, frame.texts.unsubscribe, facts(frame, subscription));

/** After the click, or instead of the question when the subscription is gone already: then nothing is known of it. */
export function unsubscribedPage(frame: Frame, subscription: Shown | undefined): string {
  const { title, lead, gone } = frame.texts.unsubscribed;
  return writePage(
    frame,
    title,
    subscription === undefined ? html`<p>${gone}</p>` : html`<p>${lead}</p>${facts(frame, subscription)}`,
  );
}
