import { badge, inWords, moment } from '../../../console/page/browser/format.ts';
import { keep } from '../../../console/page/browser/render-rows.ts';
import type { Part, PublishedEvent } from '../../../console/page/state.ts';
import { button, byId, element } from '../element.ts';
import { openEvent } from '../event-look.ts';

function row(event: PublishedEvent): HTMLElement {
  const { topicName, subject, delivered, failedTries, publishedAt } = event;
  const what = subject === undefined ? topicName : `${topicName} · ${subject}`;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('strong', {}, what),
      element('span', { class: 'quiet' }, moment(publishedAt)),
    ),
    delivered > 0 && badge(`${inWords(delivered)} delivered`, 'good'),
    failedTries > 0 && badge(`${inWords(failedTries)} failed ${failedTries === 1 ? 'try' : 'tries'}`, 'bad'),
    button('Look', () => openEvent(event), { 'aria-label': `Look into ${what}`, 'aria-haspopup': 'dialog' }),
  );
}

/** Makes what shows the newest events. */
export function eventsView(): (events: Part<PublishedEvent>) => void {
  const none = element('li', { class: 'none' }, 'Nothing was published yet.');
  const show = keep<PublishedEvent>(byId('events'), ({ messageId }) => messageId, row, none);
  return ({ rows, hasMore }) => {
    show(rows);
    byId('more-topics').hidden = !hasMore;
  };
}
