import { element } from '../../../console-page/browser/element.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en-GB');

export const inWords = (count: number): string => number.format(count);

/** A moment: its time, with the date where it is not of today. */
export function moment(at: string): HTMLTimeElement {
  const date = new Date(at);
  const isToday = day.format(date) === day.format(new Date());
  const text = isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
  return element('time', { datetime: at, title: at }, text);
}

/** An id, as short as still tells it from others. */
export const short = (id: string): HTMLElement => element('code', { title: id }, id.slice(0, 8));

/** How something stands, in a word with a colour; the word alone says it, too. */
export const badge = (word: string, tone: 'good' | 'bad' | 'idle'): HTMLElement =>
  element('span', { class: `badge ${tone}` }, word);

/** How an attempt ended: `delivered 200`, `timeout`. */
export function endingOf({ class: kind, status }: { class: string; status?: number | undefined }): HTMLElement {
  return badge(status === undefined ? kind : `${kind} ${status}`, kind === 'delivered' ? 'good' : 'bad');
}

/** How long something took; nothing where that is not known. */
export const took = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : `${inWords(milliseconds)} ms`;
