import type { Attempt, ConsoleState, Part, PublishedEvent, QueueDepth, ShownSubscription } from '../state.ts';
import { button, byId, element } from './element.ts';
import { openEvent } from './event-dialog.ts';
import { badge, formatCount, formatDuration, moment, outcomeBadge, shortId } from './format.ts';
import { createRowList } from './render-rows.ts';
import { openSubscription, sendTest } from './subscription-dialog.ts';

// The sections of the page. Each function renders one section from the state that the server sends.

const sumOf = (queues: ConsoleState['queues'], countOf: (queue: QueueDepth) => number): number =>
  queues.reduce((sum, queue) => sum + countOf(queue), 0);

export function showFigures({ figures, queues }: ConsoleState): void {
  const shown = {
    published: figures.published,
    delivered: figures.delivered,
    failed: figures.failed,
    waiting: sumOf(queues, ({ waiting, inFlight, delayed }) => waiting + inFlight + delayed),
    dead: sumOf(queues, ({ dead }) => dead),
  };
  for (const [name, value] of Object.entries(shown)) {
    const figure = byId(`figure-${name}`);
    figure.textContent = formatCount(value);
    figure.classList.toggle('bad', value > 0 && (name === 'failed' || name === 'dead'));
  }
  byId('since').replaceChildren(moment(figures.since));
}

function eventRow(event: PublishedEvent): HTMLElement {
  const { topic, subject, delivered, failedAttempts, publishedAt } = event;
  const title = subject === undefined ? topic : `${topic} · ${subject}`;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('strong', {}, title),
      element('span', { class: 'quiet' }, moment(publishedAt)),
    ),
    delivered > 0 && badge(`${formatCount(delivered)} delivered`, 'good'),
    failedAttempts > 0 &&
      badge(`${formatCount(failedAttempts)} failed ${failedAttempts === 1 ? 'attempt' : 'attempts'}`, 'bad'),
    button('View details', () => openEvent(event), {
      'aria-label': `View details of event ${title}`,
      'aria-haspopup': 'dialog',
    }),
  );
}

export function createEventsView(): (events: Part<PublishedEvent>) => void {
  const empty = element('li', { class: 'empty' }, 'No events published yet.');
  const show = createRowList<PublishedEvent>(byId('events'), ({ messageId }) => messageId, eventRow, empty);
  return ({ rows, hasMore }) => {
    show(rows);
    byId('more-topics').hidden = !hasMore;
  };
}

const maxAttemptsShown = 12;

const attemptRow = (attempt: Attempt): HTMLElement =>
  element(
    'li',
    {},
    element('span', { class: 'quiet' }, moment(attempt.at)),
    outcomeBadge(attempt),
    element('span', {}, attempt.isConfirmation ? 'confirmation' : `attempt ${attempt.ordinal}`),
    element('span', { class: 'quiet' }, shortId(attempt.subscription)),
    element('span', { class: 'quiet end' }, formatDuration(attempt.durationMs)),
  );

/** Returns a function that renders attempts and returns the ids of the messages and subscriptions with new attempts. */
export function createAttemptsView(): (attempts: readonly Attempt[]) => ReadonlySet<string> {
  const empty = element('li', { class: 'empty' }, 'Nothing sent since the stack started.');
  const keyOf = ({ at, messageId, subscription, ordinal }: Attempt) => `${at} ${messageId} ${subscription} ${ordinal}`;
  const show = createRowList<Attempt>(byId('attempts'), keyOf, attemptRow, empty);
  let seen: ReadonlySet<string> = new Set();
  return (attempts) => {
    show(attempts.slice(0, maxAttemptsShown));
    const unseen = attempts.filter((attempt) => !seen.has(keyOf(attempt)));
    seen = new Set(attempts.map(keyOf));
    return new Set(unseen.flatMap(({ messageId, subscription }) => [messageId, subscription]));
  };
}

const tones = { active: 'good', failing: 'bad', paused: 'bad', pending: 'idle' } as const;

function subscriptionRow({ uuid, topic, address, state }: ShownSubscription): HTMLElement {
  const isActive = state === 'active' || state === 'failing';
  return element(
    'li',
    {},
    element('div', { class: 'what' }, element('strong', {}, address), element('span', { class: 'quiet' }, topic)),
    badge(state, tones[state]),
    isActive && button('Send test', () => sendTest(uuid, address), { 'aria-label': `Send test event to ${address}` }),
    button('View details', () => openSubscription(uuid, address), {
      'aria-label': `View details of subscription ${address}`,
      'aria-haspopup': 'dialog',
    }),
  );
}

export function createSubscriptionsView(): (subscriptions: Part<ShownSubscription>) => void {
  const empty = element('li', { class: 'empty' }, 'No subscriptions yet.');
  const show = createRowList<ShownSubscription>(byId('subscriptions'), ({ uuid }) => uuid, subscriptionRow, empty);
  return ({ rows, hasMore }) => {
    show(rows);
    byId('more-subscriptions').hidden = !hasMore;
  };
}

const withLineBreaks = (name: string): readonly (Node | string)[] =>
  name.split(/(?=[A-Z])/).flatMap((word, at) => (at === 0 ? [word] : [element('wbr'), word]));

function queueRow({ name, carries, dead, ...depths }: QueueDepth): HTMLElement {
  const cell = (count: number, isBad = false): HTMLElement =>
    element('td', { class: count === 0 ? 'number quiet' : isBad ? 'number bad' : 'number' }, formatCount(count));
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element('strong', {}, ...withLineBreaks(name)),
      element('span', { class: 'quiet' }, carries),
    ),
    cell(depths.waiting),
    cell(depths.inFlight),
    cell(depths.delayed),
    cell(dead, true),
  );
}

export const createQueuesView = (): ((queues: readonly QueueDepth[]) => void) =>
  createRowList<QueueDepth>(byId('queues'), ({ name }) => name, queueRow, element('tr'));
