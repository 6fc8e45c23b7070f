import type { Delivery } from '../../../../../shared/domain/deliveries/delivery.ts';
import type { SubscriptionStatus } from '../../../../../shared/domain/subscriptions/show-subscription.ts';
import type { PublishedEvent, Recipients } from '../state.ts';
import { isNotFound, requestApi, requestConsole } from './api.ts';
import { deliverySection } from './deliveries.ts';
import { openDialog } from './dialog.ts';
import { announceResult, button, element } from './element.ts';
import { addressText, moment } from './format.ts';

/** Creates the section for one delivery. Returns undefined if the subscription has no delivery of the message. */
async function sectionOf(uuid: string, messageId: string): Promise<HTMLElement | undefined> {
  const path = `/v1/subscriptions/${uuid}`;
  const [status, [delivery]] = await Promise.all([
    requestApi<SubscriptionStatus>('GET', path),
    requestApi<Delivery[]>('GET', `${path}/deliveries?messageId=${messageId}`),
  ]);
  return delivery && deliverySection(delivery, uuid, addressText(status.address), `to ${status.address}`);
}

/** Creates the sections for one page of subscriptions. Skips subscriptions that ended after the page was read. */
async function sectionsOf({ uuids }: Recipients, messageId: string): Promise<HTMLElement[]> {
  const sections = uuids.map((uuid) =>
    sectionOf(uuid, messageId).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(sections)).filter((one) => one !== undefined);
}

const notes = {
  none: 'No current subscription matches this event.',
  noneSoFar: 'No subscription on the pages shown so far matches this event.',
  ended: 'Deliveries to subscriptions that have ended are not shown.',
};

function factsOf({ messageId, topic, subject, publishedAt }: PublishedEvent): HTMLElement {
  const facts: [string, Node | string][] = [
    ['Topic', topic],
    ['Subject', subject ?? 'none'],
    ['Published', moment(publishedAt)],
    ['Message', element('code', {}, messageId)],
  ];
  const pairs = facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element('dl', { class: 'facts' }, ...pairs);
}

/**
 * Shows an event with its deliveries and their attempts. Does not show the event's body, because it contains personal
 * data.
 */
export function openEvent(event: PublishedEvent): void {
  const { messageId, topicUuid, generation } = event;
  const path = `recipients?${new URLSearchParams({ topic: topicUuid, generation })}`;
  // A refresh loads as many pages as the user has opened.
  let pageCount = 1;

  async function load(refresh: () => Promise<void>): Promise<Node[]> {
    const sections: HTMLElement[] = [];
    let next: string | undefined;
    for (let page = 0; page < pageCount && (page === 0 || next !== undefined); page++) {
      const recipients = await requestConsole<Recipients>('GET', next === undefined ? path : `${path}&after=${next}`);
      sections.push(...(await sectionsOf(recipients, messageId)));
      next = recipients.next;
    }
    const redeliver = button('Redeliver failed deliveries', () =>
      announceResult(async () => {
        const { redelivered } = await requestConsole<{ redelivered: number }>('POST', `redeliver?message=${messageId}`);
        return `Redelivery started. Deliveries: ${redelivered}.`;
      }),
    );
    const more = button('Show more subscriptions', () => {
      pageCount += 1;
      return refresh();
    });
    return [
      factsOf(event),
      ...(sections.length > 0 ? sections : [element('p', {}, next === undefined ? notes.none : notes.noneSoFar)]),
      ...(next === undefined ? [element('p', { class: 'quiet' }, notes.ended)] : []),
      element('p', { class: 'row' }, redeliver, next !== undefined && more),
    ];
  }
  openDialog({ title: 'Event', subjectId: messageId, load });
}
