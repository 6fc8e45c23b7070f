import { replacedBy } from '../domain/subscriptions/confirmation-requests.ts';
import { maskAddress } from '../domain/subscriptions/mask-address.ts';
import { spokenEvent } from '../domain/topics/spoken-event.ts';
import type { ConfirmationRequest, StoredSubscription } from '../model/subscriptions/subscription.ts';
import { isEventType } from '../model/topics/event.ts';
import { button, type Html, html } from './html.ts';
import { writePage } from './page.ts';
import { consequence, inList } from './request-words.ts';
import { shown } from './shown.ts';
import { texts } from './texts.ts';

type Shown = Pick<StoredSubscription, 'topicName' | 'address' | 'protocol' | 'subjects'>;
type Subjects = StoredSubscription['subjects'];

/** Its types in words, what the caller names by itself in quotes: all of them, for whoever agrees must know to what. */
const filter = (subjects: Subjects): string =>
  subjects.length === 0
    ? texts.allEvents
    : inList(subjects.map((name) => (isEventType(name) ? spokenEvent(name) : `“${shown(name)}”`)));

// Whoever holds the link may be told which subscription it is for, not the address itself: links get forwarded.
const facts = (subscription: Shown, before: Subjects = subscription.subjects): Html => html`<dl>
<dt>${texts.topic}</dt><dd>${subscription.topicName}</dd>
<dt>${texts.address}</dt><dd>${maskAddress(subscription)}</dd>
${[...subscription.subjects, ...before].length > 0 ? html`<dt>${texts.events}</dt><dd>${filter(subscription.subjects)}</dd>` : undefined}
${before === subscription.subjects ? undefined : html`<dt>${texts.eventsBefore}</dt><dd>${filter(before)}</dd>`}
</dl>`;

interface Question {
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  readonly otherwise: string;
}

const ask = (question: Question, shownFacts: Html, more?: Html): string =>
  writePage(
    question.title,
    html`<p>${question.lead}</p>${shownFacts}${button(question.button)}<p class="quiet">${question.otherwise}</p>${more}`,
  );

/** What confirming this request makes of the subscription. `neverAskToken`: of the link by which a mailbox is never asked again. */
export function confirmPage(stored: StoredSubscription, request: ConfirmationRequest, neverAskToken?: string): string {
  const { subjects } = request;
  const isOther = replacedBy(stored, request).includes('subjects');
  return ask(
    { ...texts.confirm, lead: `${texts.confirm.lead} ${consequence(stored, request)}` },
    facts({ ...stored, subjects }, isOther ? stored.subjects : subjects),
    neverAskToken === undefined
      ? undefined
      : html`<p class="quiet"><a href="never-ask?token=${neverAskToken}">${texts.confirm.never}</a></p>`,
  );
}

export const confirmedPage = (subscription: Shown): string =>
  writePage(
    texts.confirmed.title,
    html`<p>${texts.confirmed.lead}</p>${facts(subscription)}<p class="quiet">${texts.confirmed.otherwise}</p>`,
  );

export const unsubscribePage = (subscription: Shown): string => ask(texts.unsubscribe, facts(subscription));

/** After the click, or instead of the question when the subscription is gone already: then nothing is known of it. */
export const unsubscribedPage = (subscription: Shown | undefined): string =>
  writePage(
    texts.unsubscribed.title,
    subscription === undefined
      ? html`<p>${texts.unsubscribed.gone}</p>`
      : html`<p>${texts.unsubscribed.lead}</p>${facts(subscription)}`,
  );
