import type { Delivery } from '../../../../shared/model/deliveries/delivery.ts';
import type { SubscriptionStatus } from '../../../../shared/model/subscriptions/status.ts';
import { moment } from '../../console/page/browser/format.ts';
import type { PublishedEvent, Recipients } from '../../console/page/state.ts';
import { doing } from './announce.ts';
import { askApi, askConsole, isGone } from './api.ts';
import { deliveryBlock } from './deliveries.ts';
import { button, element } from './element.ts';
import { openLook } from './look.ts';

/** How one subscription got the event: nothing where the event is none of its own. */
async function blockOf(uuid: string, messageId: string): Promise<HTMLElement | undefined> {
  const path = `/v1/subscriptions/${uuid}`;
  const [status, [delivery]] = await Promise.all([
    askApi<SubscriptionStatus>('GET', path),
    askApi<Delivery[]>('GET', `${path}/deliveries?messageId=${messageId}`),
  ]);
  return delivery && deliveryBlock(delivery, uuid, document.createTextNode(status.address), `to ${status.address}`);
}

/** Those of a page of subscriptions that the event is for; one that has ended meanwhile is left out. */
async function blocksOf({ uuids }: Recipients, messageId: string): Promise<HTMLElement[]> {
  const blocks = uuids.map((uuid) =>
    blockOf(uuid, messageId).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(blocks)).filter((one) => one !== undefined);
}

/** What is said in the place of deliveries: to none of those that were looked at, or to some that have ended since. */
const words = {
  none: 'No subscription that there is now was to get it.',
  noneYet: 'None of the subscriptions that were looked at so far was to get it.',
  ended: 'Subscriptions that have ended since are not here, nor is what became of it for them.',
};

function factsOf({ messageId, topicName, subject, publishedAt }: PublishedEvent): HTMLElement {
  const facts: [string, Node | string][] = [
    ['Topic', topicName],
    ['Subject', subject ?? 'none'],
    ['Published', moment(publishedAt)],
    ['Message', element('code', {}, messageId)],
  ];
  const pairs = facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element('dl', { class: 'facts' }, ...pairs);
}

/** Opens a look into an event: whom it was for, and each attempt. Its body is not shown: it is about people. */
export function openEvent(event: PublishedEvent): void {
  const { messageId, topicUuid, generation } = event;
  const place = `recipients?${new URLSearchParams({ topic: topicUuid, generation })}`;
  // News fills what is there: as many pages as were asked for.
  let pages = 1;

  async function fill(again: () => Promise<void>): Promise<Node[]> {
    const blocks: HTMLElement[] = [];
    let next: string | undefined;
    for (let page = 0; page < pages && (page === 0 || next !== undefined); page++) {
      const recipients = await askConsole<Recipients>('GET', next === undefined ? place : `${place}&after=${next}`);
      blocks.push(...(await blocksOf(recipients, messageId)));
      next = recipients.next;
    }
    const redeliver = button('Deliver again what failed', () =>
      doing(async () => {
        const done = await askConsole<{ redelivered: number }>('POST', `redeliver?message=${messageId}`);
        return `The job redeliver ended: ${done.redelivered} made again.`;
      }),
    );
    const more = button('Show more subscriptions', () => {
      pages += 1;
      return again();
    });
    return [
      factsOf(event),
      ...(blocks.length > 0 ? blocks : [element('p', {}, next === undefined ? words.none : words.noneYet)]),
      ...(next === undefined ? [element('p', { class: 'quiet' }, words.ended)] : []),
      element('p', { class: 'row' }, redeliver, next !== undefined && more),
    ];
  }
  openLook({ title: 'Event', about: messageId, fill });
}
