import { element } from './element.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en-GB');

export const formatCount = (count: number): string => number.format(count);

/** Shows a time of day, and the date if it is not today. */
export function moment(at: string): HTMLTimeElement {
  const date = new Date(at);
  const isToday = day.format(date) === day.format(new Date());
  const text = isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
  return element('time', { datetime: at, title: at }, text);
}

/** Shows the first 8 characters of an id, with the whole id in a tooltip. */
export const shortId = (id: string): HTMLElement => element('code', { title: id }, id.slice(0, 8));

export const badge = (word: string, tone: 'good' | 'bad' | 'idle'): HTMLElement =>
  element('span', { class: `badge ${tone}` }, word);

interface AttemptOutcome {
  readonly class: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/** Shows the outcome of an attempt: `delivered 200`, `tls CERT_HAS_EXPIRED`, `timeout`. */
export function outcomeBadge({ class: kind, status, code }: AttemptOutcome): HTMLElement {
  const words = [kind, status, code].filter((word) => word !== undefined);
  return badge(words.join(' '), kind === 'delivered' ? 'good' : 'bad');
}

export const formatDuration = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : `${formatCount(milliseconds)} ms`;
