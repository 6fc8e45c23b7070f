import type { Paint } from '../console/terminal.ts';
import { thisYear } from './population/households.ts';
import { subscriberCount } from './subscribers.ts';
import type { Month } from './year.ts';

const monthName = (number: number): string =>
  new Date(Date.UTC(thisYear, number - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

/** What a month brought, and how many deliveries of the year have arrived by its end. */
export function monthLine({ number, counts, published }: Month, delivered: number, paint: Paint): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { liveBirth: births = 0, death: deaths = 0, marriage: marriages = 0 } = counts;
  const others = all - births - deaths - marriages;
  const waiting = published * subscriberCount - delivered;
  const shown = Object.entries({ births, deaths, marriages, others, delivered, waiting }).map(([word, count]) => {
    const figure = String(count).padStart(word === 'delivered' ? 6 : 4);
    return `${paint.dim(word)}${word === 'waiting' && count > 0 ? paint.yellow(figure) : figure}`;
  });
  return `  ${monthName(number).padEnd(10)}${shown.join('   ')}`;
}
