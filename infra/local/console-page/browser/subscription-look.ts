import type { Delivery } from '../../../../shared/model/deliveries/delivery.ts';
import type { SubscriptionStatus } from '../../../../shared/model/subscriptions/status.ts';
import { endingOf, inWords, moment } from '../../console/page/browser/format.ts';
import { doing } from './announce.ts';
import { askApi, isGone } from './api.ts';
import { deliveryBlock } from './deliveries.ts';
import { button, element } from './element.ts';
import { openLook } from './look.ts';

const mostDeliveries = 10;

/** Sends a test event to a subscription, and says so. */
export const sendTest = (uuid: string, address: string) =>
  doing(async () => {
    await askApi('POST', `/v1/subscriptions/${uuid}/test`);
    return `A test event is on its way to ${address}.`;
  });

function factsOf(status: SubscriptionStatus, uuid: string): HTMLElement {
  const { lastFailure, lastTest, lastDeliveredAt, stateReason } = status;
  const ended = (ending: { class: string; status?: number; at: string }): HTMLElement =>
    element('span', {}, endingOf(ending), ' ', moment(ending.at));
  const facts: [string, Node | string | undefined][] = [
    ['Topic', status.topic],
    ['State', stateReason === undefined ? status.state : `${status.state}: ${stateReason}`],
    ['Policy', status.policy],
    ['Filter', status.subjects && `only ${status.subjects.join(', ')}`],
    ['Waiting', inWords(status.waiting)],
    ['Last delivered', lastDeliveredAt && moment(lastDeliveredAt)],
    ['Last failure', lastFailure && ended(lastFailure)],
    ['Last test', lastTest && ended(lastTest)],
    ['Subscription', element('code', {}, uuid)],
  ];
  const pairs = facts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [element('dt', {}, name), element('dd', {}, value)],
  );
  return element('dl', { class: 'facts' }, ...pairs);
}

const titleOf = ({ subject, publishedAt }: Delivery): HTMLElement =>
  element('span', {}, moment(publishedAt), ` ${subject ?? ''}`);

/** Opens a look into a subscription: how it stands, and its latest deliveries. */
export function openSubscription(uuid: string, address: string): void {
  const path = `/v1/subscriptions/${uuid}`;

  async function fill(): Promise<Node[]> {
    const [status, deliveries] = await Promise.all([
      askApi<SubscriptionStatus>('GET', path),
      askApi<Delivery[]>('GET', `${path}/deliveries?limit=${mostDeliveries}`),
    ]);
    const recover = button('Recover what it has not got', () =>
      doing(async () => {
        const { since } = await askApi<{ since: string }>('POST', `${path}/recover`);
        return `What it has not got since ${since} comes now.`;
      }),
    );
    const test = button('Send a test event', () => sendTest(uuid, address));
    return [
      factsOf(status, uuid),
      ...(status.active ? [element('p', { class: 'row' }, test, recover)] : []),
      ...deliveries.map((one) => deliveryBlock(one, uuid, titleOf(one), `message ${one.messageId}`)),
      ...(deliveries.length === 0 ? [element('p', {}, 'Nothing was published for it yet.')] : []),
    ];
  }
  openLook({
    title: address,
    about: uuid,
    fill: () =>
      fill().catch((error: unknown) => {
        if (isGone(error)) return [element('p', {}, 'This subscription has ended: its deliveries are shown no more.')];
        throw error;
      }),
  });
}
