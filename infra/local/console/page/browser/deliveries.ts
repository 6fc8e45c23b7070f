import type { Delivery } from '../../../../../shared/domain/deliveries/delivery.ts';
import { requestApi } from './api.ts';
import { announceResult, button, element } from './element.ts';
import { badge, formatDuration, moment, outcomeBadge } from './format.ts';

const tones = { delivered: 'good', waiting: 'idle', failed: 'bad', unknown: 'bad', missed: 'bad' } as const;

function attemptsTable({ attempts }: Delivery, name: string): HTMLElement {
  if (attempts.length === 0) return element('p', { class: 'quiet' }, 'No attempts yet.');
  const rows = attempts.map((attempt) =>
    element(
      'tr',
      {},
      element('td', {}, moment(attempt.at)),
      element(
        'td',
        {},
        outcomeBadge(attempt),
        attempt.response !== undefined &&
          element(
            'pre',
            { class: 'response', dir: 'auto', role: 'group', 'aria-label': 'Response', tabindex: '0' },
            attempt.response,
          ),
      ),
      element('td', { class: 'number' }, formatDuration(attempt.durationMs)),
    ),
  );
  const heads = ['Time', 'Outcome', 'Duration'].map((head) => element('th', { scope: 'col' }, head));
  return element(
    'table',
    {},
    element('caption', { class: 'hidden' }, `Attempts ${name}`),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  );
}

/**
 * Creates the section for a delivery, with the attempts and a button to redeliver the message.
 * @param name completes the accessible label of the button, as in `Redeliver to reader@example.org`
 */
export function deliverySection(delivery: Delivery, subscription: string, title: Node, name: string): HTMLElement {
  const { messageId, type, state, nextAttemptAt } = delivery;
  const path = `/v1/subscriptions/${subscription}/deliveries/${messageId}/redeliver`;
  const redeliver = button(
    'Redeliver',
    () => announceResult(async () => `Redelivering ${name}: ${(await requestApi<Delivery>('POST', path)).state}.`),
    { 'aria-label': `Redeliver ${name}` },
  );
  return element(
    'section',
    { class: 'delivery' },
    element(
      'div',
      { class: 'row' },
      element('h3', {}, title),
      badge(state, tones[state]),
      type === undefined && state !== 'waiting' && redeliver,
    ),
    nextAttemptAt !== undefined && element('p', { class: 'quiet' }, 'Next attempt not before ', moment(nextAttemptAt)),
    attemptsTable(delivery, name),
  );
}
