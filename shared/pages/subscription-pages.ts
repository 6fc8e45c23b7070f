import { maskAddress } from '../domain/subscriptions/mask-address.ts';
import type { StoredSubscription } from '../model/subscriptions/subscription.ts';
import { button, type Html, html } from './html.ts';
import { writePage } from './page.ts';
import { texts } from './texts.ts';

type Shown = Pick<StoredSubscription, 'topicName' | 'address' | 'protocol'>;

// Whoever holds the link may be told which subscription it is for, not the address itself: links get forwarded.
const facts = (subscription: Shown): Html => html`<dl>
<dt>${texts.topic}</dt><dd>${subscription.topicName}</dd>
<dt>${texts.address}</dt><dd>${maskAddress(subscription)}</dd>
</dl>`;

interface Question {
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  readonly otherwise: string;
}

const ask = (question: Question, subscription: Shown, more?: Html): string =>
  writePage(
    question.title,
    html`<p>${question.lead}</p>${facts(subscription)}${button(question.button)}<p class="quiet">${question.otherwise}</p>${more}`,
  );

/** `neverAskToken`: of the link by which a mailbox is never asked again. */
export const confirmPage = (subscription: Shown, neverAskToken?: string): string =>
  ask(
    texts.confirm,
    subscription,
    neverAskToken === undefined
      ? undefined
      : html`<p class="quiet"><a href="never-ask?token=${neverAskToken}">${texts.confirm.never}</a></p>`,
  );

export const confirmedPage = (subscription: Shown): string =>
  writePage(
    texts.confirmed.title,
    html`<p>${texts.confirmed.lead}</p>${facts(subscription)}<p class="quiet">${texts.confirmed.otherwise}</p>`,
  );

export const unsubscribePage = (subscription: Shown): string => ask(texts.unsubscribe, subscription);

/** After the click, or instead of the question when the subscription is gone already: then nothing is known of it. */
export const unsubscribedPage = (subscription: Shown | undefined): string =>
  writePage(
    texts.unsubscribed.title,
    subscription === undefined
      ? html`<p>${texts.unsubscribed.gone}</p>`
      : html`<p>${texts.unsubscribed.lead}</p>${facts(subscription)}`,
  );
