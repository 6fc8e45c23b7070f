import { bear } from './births-and-deaths.ts';
import type { Country } from './country.ts';
import { die } from './deaths.ts';
import { adopt, changeGender, changeName } from './identity-changes.ts';
import { divorce, marry, separate } from './marriages.ts';
import type { Occurrence } from './occurrence.ts';
import { arrive, correct, miss } from './records.ts';

type Twelve = readonly [number, number, number, number, number, number, number, number, number, number, number, number];

export interface Rate {
  /** A year. */
  readonly perThousand: number;
  /** How many there are in each month, January first, beside 1 in a month like any other. */
  readonly months?: Twelve;
  /** Courts and offices: none on Saturdays and Sundays. */
  readonly isOffice?: true;
  /** Nothing where nobody fits. */
  readonly happen: (country: Country, date: string) => readonly Occurrence[] | Promise<readonly Occurrence[]>;
}

/**
 * How often things happen, as in countries of Europe: crude rates like those that Eurostat has for 2015-2023. What follows
 * from another is not here: twins, recognitions, legitimations, annulments, cancellations and duplicates found.
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
