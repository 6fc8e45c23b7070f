import { dayMs } from '../../../../shared/domain/time.ts';
import type { Chance } from '../population/chance.ts';
import { daysAfter } from './agenda.ts';
import { bear, die } from './births-and-deaths.ts';
import { type Country, type CountryOptions, createCountry } from './country.ts';
import { adopt, changeGender, changeName } from './identity-changes.ts';
import { divorce, marry, separate } from './marriages.ts';
import type { Occurrence } from './occurrence.ts';
import { arrive, correct, miss } from './records.ts';

type Twelve = readonly [number, number, number, number, number, number, number, number, number, number, number, number];

export interface Rate {
  /** The number of occurrences per 1,000 persons per year. */
  readonly perThousand: number;
  /** The relative frequency in each month, starting in January. The average frequency is 1. */
  readonly months?: Twelve;
  readonly isOffice?: true;
  readonly happen: (country: Country, date: string) => readonly Occurrence[] | Promise<readonly Occurrence[]>;
}

/**
 * The frequency of each kind of occurrence. The rates are similar to Eurostat's crude rates for European countries from
 * 2015 to 2023. The list excludes occurrences that follow from other occurrences: twins, recognitions, legitimations,
 * annulments, cancellations and merges.
 */
export const rates: readonly Rate[] = [
  { perThousand: 10, months: [0.96, 0.95, 0.96, 0.96, 1, 1.01, 1.06, 1.06, 1.08, 1.02, 0.97, 0.97], happen: bear },
  { perThousand: 5, months: [0.4, 0.6, 0.6, 0.8, 1.2, 1.6, 1.5, 1.7, 1.6, 1, 0.5, 0.5], happen: marry },
  { perThousand: 2, isOffice: true, happen: divorce },
  { perThousand: 0.6, isOffice: true, happen: separate },
  { perThousand: 0.2, isOffice: true, happen: adopt },
  { perThousand: 1, isOffice: true, happen: changeName },
  { perThousand: 0.04, isOffice: true, happen: changeGender },
  { perThousand: 6, isOffice: true, happen: arrive },
  { perThousand: 4, isOffice: true, happen: correct },
  { perThousand: 0.5, happen: miss },
  { perThousand: 10, months: [1.16, 1.12, 1.08, 1, 0.95, 0.92, 0.93, 0.93, 0.92, 0.97, 1, 1.02], happen: die },
];

const perThousand = rates.reduce((sum, rate) => sum + rate.perThousand, 0);

interface LifeOptions extends CountryOptions {
  /** The first simulated day, in ISO 8601 format. */
  readonly from: string;
  /** The day after the last simulated day, in ISO 8601 format. */
  readonly until: string;
  /** The minimum number of occurrences. To reach the minimum, a small country has more occurrences than in reality. */
  readonly least?: number;
}

const maxMean = 30;

function drawCount(chance: Chance, mean: number): number {
  if (mean > maxMean) return drawCount(chance, maxMean) + drawCount(chance, mean - maxMean);
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

async function* liveOn(country: Country, date: string, leastLiving: number): AsyncGenerator<Occurrence> {
  for (const sequel of country.agenda.take(date)) yield* sequel(date);
  const living = Math.max(country.living.length, leastLiving);
  for (const rate of rates) {
    const count = drawCount(country.chance, meanOn(date, rate, living));
    for (let one = 0; one < count; one++) yield* await rate.happen(country, date);
  }
}

/**
 * Yields the occurrences in a simulated population in chronological order. Keeps only living persons in memory. The
 * same seed yields the same occurrences.
 */
export async function* simulateLife({ from, until, least = 0, ...options }: LifeOptions): AsyncGenerator<Occurrence> {
  const country = createCountry(options);
  const days = (Date.parse(until) - Date.parse(from)) / dayMs;
  const leastLiving = (least * 1000) / (perThousand * (days / 365.25));
  let count = 0;
  for (let date = from, day = 1; date < until; date = daysAfter(date, 1), day++) {
    for await (const occurrence of liveOn(country, date, leastLiving)) {
      count += 1;
      yield occurrence;
    }
    // If a very small country has too few people to reach the minimum number of occurrences, more people arrive.
    while (count < (least * day) / days) {
      const arrivals = arrive(country, date);
      count += arrivals.length;
      yield* arrivals;
    }
  }
}
