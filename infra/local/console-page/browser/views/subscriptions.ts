import { badge } from '../../../console/page/browser/format.ts';
import { keep } from '../../../console/page/browser/render-rows.ts';
import type { Part, ShownSubscription } from '../../../console/page/state.ts';
import { button, byId, element } from '../element.ts';
import { openSubscription, sendTest } from '../subscription-look.ts';

const tones = { active: 'good', failing: 'bad', paused: 'bad', pending: 'idle' } as const;

function row({ uuid, topicName, address, state }: ShownSubscription): HTMLElement {
  const isActive = state === 'active' || state === 'failing';
  return element(
    'li',
    {},
    element('div', { class: 'what' }, element('strong', {}, address), element('span', { class: 'quiet' }, topicName)),
    badge(state, tones[state]),
    isActive && button('Test', () => sendTest(uuid, address), { 'aria-label': `Send a test event to ${address}` }),
    button('Look', () => openSubscription(uuid, address), {
      'aria-label': `Look into the subscription of ${address}`,
      'aria-haspopup': 'dialog',
    }),
  );
}

/** Makes what shows the subscriptions. */
export function subscriptionsView(): (subscriptions: Part<ShownSubscription>) => void {
  const none = element('li', { class: 'none' }, 'Nobody has subscribed yet.');
  const show = keep<ShownSubscription>(byId('subscriptions'), ({ uuid }) => uuid, row, none);
  return ({ rows, hasMore }) => {
    show(rows);
    byId('more-subscriptions').hidden = !hasMore;
  };
}
