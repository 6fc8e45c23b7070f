import type { Delivery } from '../../../../../shared/domain/deliveries/delivery.ts';
import type { SubscriptionStatus } from '../../../../../shared/domain/subscriptions/show-subscription.ts';
import { isNotFound, requestApi } from './api.ts';
import { policyHint, subjectsHint, subjectsIn } from './create.ts';
import { deliverySection } from './deliveries.ts';
import { openDialog } from './dialog.ts';
import { announceResult, button, element } from './element.ts';
import { createForm, defineForm } from './form.ts';
import { formatCount, moment, outcomeBadge } from './format.ts';

const maxDeliveries = 10;

export const sendTest = (uuid: string, address: string) =>
  announceResult(async () => {
    await requestApi('POST', `/v1/subscriptions/${uuid}/test`);
    return `Sending a test event to ${address}.`;
  });

function factsOf(status: SubscriptionStatus, uuid: string): HTMLElement {
  const { lastFailure, lastTest, lastDeliveredAt, nextAttemptAt, stateReason } = status;
  const outcomeAt = (outcome: { class: string; status?: number; code?: string; at: string }): HTMLElement =>
    element('span', {}, outcomeBadge(outcome), ' ', moment(outcome.at));
  const facts: [string, Node | string | undefined][] = [
    ['Topic', status.topic],
    ['State', stateReason === undefined ? status.state : `${status.state}: ${stateReason}`],
    ['Policy', status.policy],
    ['Filter', status.subjects && `only ${status.subjects.join(', ')}`],
    ['Waiting', formatCount(status.waiting)],
    ['Last delivered', lastDeliveredAt && moment(lastDeliveredAt)],
    ['Last failure', lastFailure && outcomeAt(lastFailure)],
    ['Next attempt', nextAttemptAt && moment(nextAttemptAt)],
    ['Last test', lastTest && outcomeAt(lastTest)],
    ['Subscription', element('code', {}, uuid)],
  ];
  const pairs = facts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [element('dt', {}, name), element('dd', {}, value)],
  );
  return element('dl', { class: 'facts' }, ...pairs);
}

const changeForm = ({ policy, subjects = [] }: SubscriptionStatus, path: string) =>
  defineForm({
    fields: {
      policy: { label: 'Policy', value: policy, hint: policyHint, isRequired: true },
      subjects: { label: 'Filter', value: subjects.join(', '), hint: subjectsHint },
    },
    submit: 'Change subscription',
    async send(values) {
      const filter = subjectsIn(values.subjects);
      const patch = { policy: values.policy, subjects: filter.length > 0 ? filter : null };
      await requestApi('PATCH', path, patch);
      return 'The subscription was changed. The change applies to events published from now on.';
    },
  });

const titleOf = ({ type, subject, publishedAt }: Delivery): HTMLElement =>
  element('span', {}, moment(publishedAt), ` ${type === undefined ? (subject ?? '') : 'confirmation request'}`);

export function openSubscription(uuid: string, address: string): void {
  const path = `/v1/subscriptions/${uuid}`;

  async function load(): Promise<Node[]> {
    const [status, deliveries] = await Promise.all([
      requestApi<SubscriptionStatus>('GET', path),
      requestApi<Delivery[]>('GET', `${path}/deliveries?limit=${maxDeliveries}`),
    ]);
    const replay = button('Replay missed events', () =>
      announceResult(async () => {
        const { since } = await requestApi<{ since: string }>('POST', `${path}/recover`);
        return `Replaying events missed since ${since}.`;
      }),
    );
    const test = button('Send test event', () => sendTest(uuid, address));
    return [
      factsOf(status, uuid),
      ...(status.active ? [element('p', { class: 'row' }, test, replay)] : []),
      ...(status.active
        ? [element('details', {}, element('summary', {}, 'Change'), createForm(changeForm(status, path)))]
        : []),
      ...deliveries.map((one) => deliverySection(one, uuid, titleOf(one), `message ${one.messageId}`)),
      ...(deliveries.length === 0 ? [element('p', {}, 'This subscription has not received any events yet.')] : []),
    ];
  }
  openDialog({
    title: address,
    subjectId: uuid,
    load: () =>
      load().catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return [element('p', {}, 'This subscription has ended. The deliveries are no longer available.')];
      }),
  });
}
