import { element } from './element.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en-GB');

export const formatCount = (count: number): string => number.format(count);

/** Creates an element that shows a time of day, preceded by the date unless the date is today. */
export function moment(at: string): HTMLTimeElement {
  const date = new Date(at);
  const isToday = day.format(date) === day.format(new Date());
  const text = isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
  return element('time', { datetime: at, title: at, dir: 'auto' }, text);
}

/**
 * Lets the browser break a text at the given places. On narrow screens, the browser may also break the text at other
 * places, as a last resort.
 */
export const breakable = (text: string, places: RegExp): readonly (Node | string)[] =>
  text.split(places).flatMap((part, index) => (index === 0 ? [part] : [element('wbr'), part]));

export const addressText = (address: string): HTMLElement =>
  element('bdi', {}, ...breakable(address, /(?<=[/:@])(?!\/)|(?=[.?&#])/));

export const badge = (word: string, tone: 'good' | 'bad' | 'idle'): HTMLElement =>
  element('span', { class: `badge ${tone}`, dir: 'auto' }, word);

interface AttemptOutcome {
  readonly class: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/**
 * Creates a badge that shows the outcome of an attempt, such as `delivered 200`, `tls CERT_HAS_EXPIRED` or `timeout`.
 */
export function outcomeBadge({ class: kind, status, code }: AttemptOutcome): HTMLElement {
  const words = [kind, status, code].filter((word) => word !== undefined);
  return badge(words.join(' '), kind === 'delivered' ? 'good' : 'bad');
}

export const formatDuration = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : `${formatCount(milliseconds)} ms`;

/** Formats a duration in milliseconds, seconds, minutes or hours. */
export function formatLatency(milliseconds: number): string {
  if (milliseconds < 10_000) return `${formatCount(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${formatCount(Math.round(seconds))} s`;
  return seconds < 7200
    ? `${formatCount(Math.round(seconds / 60))} min`
    : `${formatCount(Math.round(seconds / 3600))} h`;
}
