import type {
  Attempt,
  ConsoleState,
  Figure,
  OperatorState,
  Part,
  PublishedEvent,
  QueueDepth,
  ShownSubscription,
  ShownTopic,
} from '../state.ts';
import { button, byId, element } from './element.ts';
import { openEvent } from './event-dialog.ts';
import { addressText, badge, formatCount, formatDuration, moment, outcomeBadge } from './format.ts';
import { createRowList } from './render-rows.ts';
import { openSubscription, sendTest } from './subscription-dialog.ts';

// Each function renders one section of the page from the state that the server sends.

function queueFigures({ queues }: OperatorState): Figure[] {
  const sumOf = (countOf: (queue: QueueDepth) => number): number =>
    queues.reduce((sum, queue) => sum + countOf(queue), 0);
  return [
    { name: 'In queues', count: sumOf(({ waiting, inFlight, delayed }) => waiting + inFlight + delayed) },
    { name: 'Dead letters', count: sumOf(({ dead }) => dead), isBad: true },
  ];
}

const figureOf = ({ name, count, isBad }: Figure): HTMLElement =>
  element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', { class: isBad && count > 0 && 'bad' }, formatCount(count)),
  );

export function createFiguresView(): (state: ConsoleState) => void {
  const show = createRowList<Figure>(byId('figures'), ({ name }) => name, figureOf, element('div'));
  return ({ figures: { counts, note, since }, operator }) => {
    const isRead = operator !== undefined && 'queues' in operator;
    show(isRead ? [...counts, ...queueFigures(operator)] : counts);
    const text = since === undefined ? [note] : [note, moment(since), '.'];
    byId('figures-note').replaceChildren(element('bdi', {}, ...text));
  };
}

function eventRow(event: PublishedEvent): HTMLElement {
  const { topic, subject, delivered, failedAttempts, publishedAt, testOf } = event;
  const title = subject === undefined ? topic : `${topic} · ${subject}`;
  const open = () => (testOf === undefined ? openEvent(event) : openSubscription(testOf.uuid, testOf.address));
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('strong', {}, element('bdi', {}, title)),
      element('span', { class: 'quiet' }, moment(publishedAt)),
      testOf && element('span', { class: 'quiet' }, 'only to ', addressText(testOf.address)),
    ),
    testOf && badge('test event', 'idle'),
    delivered > 0 && badge(`${formatCount(delivered)} delivered`, 'good'),
    failedAttempts > 0 &&
      badge(`${formatCount(failedAttempts)} failed ${failedAttempts === 1 ? 'attempt' : 'attempts'}`, 'bad'),
    button('View details', open, {
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

const kinds = { event: 'attempt', test: 'test event, attempt', confirmation: 'confirmation request, attempt' } as const;

const attemptRow = (attempt: Attempt): HTMLElement =>
  element(
    'li',
    {},
    element('span', { class: 'quiet' }, moment(attempt.at)),
    outcomeBadge(attempt),
    element('span', {}, addressText(attempt.address ?? 'subscription ended')),
    element('span', { class: 'quiet', dir: 'auto' }, `${kinds[attempt.kind]} ${attempt.ordinal}`),
    element('span', { class: 'quiet end', dir: 'auto' }, formatDuration(attempt.durationMs)),
  );

/**
 * Returns a function that renders attempts and returns the ids of the messages and subscriptions that have new
 * attempts.
 */
export function createAttemptsView(): (attempts: readonly Attempt[]) => ReadonlySet<string> {
  const empty = element('li', { class: 'empty' }, 'No attempts yet.');
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

const tones = { active: 'good', paused: 'bad', pending: 'idle', unknown: 'idle' } as const;

function stateBadge({ state, reason }: ShownSubscription): HTMLElement {
  const isBad = reason === 'failing' || reason === 'unreachable';
  return badge(reason === undefined ? state : `${state}: ${reason}`, isBad ? 'bad' : tones[state]);
}

function subscriptionRow(subscription: ShownSubscription): HTMLElement {
  const { uuid, topic, address, state } = subscription;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('strong', {}, addressText(address)),
      element('span', { class: 'quiet' }, element('bdi', {}, topic)),
    ),
    stateBadge(subscription),
    state === 'active' &&
      button('Send test', () => sendTest(uuid, address), { 'aria-label': `Send test event to ${address}` }),
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

export const createTopicsView = (): ((topics: readonly ShownTopic[]) => void) =>
  createRowList<ShownTopic>(
    byId('topics'),
    ({ uuid }) => uuid,
    ({ topic }) => element('li', {}, element('bdi', {}, topic)),
    element('li', { class: 'empty' }, 'No topics yet.'),
  );
