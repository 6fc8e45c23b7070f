import type { Chance } from '../population/chance.ts';
import { daysAfter } from './agenda.ts';
import { type Country, type CountryOptions, createCountry } from './country.ts';
import type { Occurrence } from './occurrence.ts';
import { type Rate, rates } from './rates.ts';

interface LifeOptions extends CountryOptions {
  /** The first day, ISO 8601. */
  readonly from: string;
  /** The first day that is not lived any more. */
  readonly until: string;
}

const mostAtOnce = 30;

/** How often something happens that happens so often on the average (Poisson). */
function drawCount(chance: Chance, mean: number): number {
  if (mean > mostAtOnce) return drawCount(chance, mostAtOnce) + drawCount(chance, mean - mostAtOnce);
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = chance.next(); product > limit; product *= chance.next()) count += 1;
  return count;
}

function meanOn(date: string, { perThousand, months, isOffice }: Rate, living: number): number {
  const day = new Date(`${date}T00:00:00Z`);
  const isWeekend = day.getUTCDay() % 6 === 0;
  const ofWeek = isOffice ? (isWeekend ? 0 : 7 / 5) : 1;
  const all = months?.reduce((sum, month) => sum + month, 0) ?? 12;
  const ofYear = ((months?.[day.getUTCMonth()] ?? 1) * 12) / all;
  return (living / 1000) * (perThousand / 365.25) * ofWeek * ofYear;
}

async function* liveOn(country: Country, date: string): AsyncGenerator<Occurrence> {
  for (const sequel of country.agenda.take(date)) yield* sequel(date);
  for (const rate of rates) {
    const count = drawCount(country.chance, meanOn(date, rate, country.living.length));
    for (let one = 0; one < count; one++) yield* await rate.happen(country, date);
  }
}

/**
 * What happens to a population, in the order of time: whom the registry gives a UIN, what it has to change, and what is
 * published. It holds those who live, and nothing that has happened. The same seed gives the same life.
 */
export async function* live({ from, until, ...options }: LifeOptions): AsyncGenerator<Occurrence> {
  const country = createCountry(options);
  for (let date = from; date < until; date = daysAfter(date, 1)) yield* liveOn(country, date);
}
