import type { Delivery } from '../../../../shared/model/deliveries/delivery.ts';
import { badge, endingOf, moment, took } from '../../console/page/browser/format.ts';
import { doing } from './announce.ts';
import { askApi } from './api.ts';
import { button, element } from './element.ts';

const tones = { delivered: 'good', waiting: 'idle', failed: 'bad', unknown: 'bad', missed: 'bad' } as const;

function attemptsOf({ attempts }: Delivery, caption: string): HTMLElement {
  if (attempts.length === 0) return element('p', { class: 'quiet' }, 'Not tried yet.');
  const rows = attempts.map((one) =>
    element(
      'tr',
      {},
      element('td', {}, moment(one.at)),
      element('td', {}, endingOf(one)),
      element('td', { class: 'number' }, took(one.durationMs)),
    ),
  );
  const heads = ['Time', 'Ended', 'Took'].map((name) => element('th', { scope: 'col' }, name));
  return element(
    'table',
    {},
    element('caption', { class: 'hidden' }, `Attempts ${caption}`),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  );
}

/** A delivery with its attempts, under what it is of, and the button that has it made again. */
export function deliveryBlock(delivery: Delivery, subscription: string, title: Node, name: string): HTMLElement {
  const { messageId, state, nextAttemptAt } = delivery;
  const path = `/v1/subscriptions/${subscription}/deliveries/${messageId}/redeliver`;
  const again = button(
    'Deliver again',
    () => doing(async () => `Under way again, ${name}: ${(await askApi<Delivery>('POST', path)).state}.`),
    { 'aria-label': `Deliver again ${name}` },
  );
  return element(
    'section',
    { class: 'delivery' },
    element(
      'div',
      { class: 'row' },
      element('h3', {}, title),
      badge(state, tones[state]),
      state !== 'waiting' && again,
    ),
    nextAttemptAt !== undefined && element('p', { class: 'quiet' }, 'Next attempt not before ', moment(nextAttemptAt)),
    attemptsOf(delivery, name),
  );
}
