import type { Occurrence } from './occurrence.ts';

/** Returns the occurrences that follow from an earlier occurrence; an empty list if they are no longer possible. */
type Sequel = (date: string) => readonly Occurrence[];

/** Occurrences that are planned for future days. */
export interface Agenda {
  plan(date: string, sequel: Sequel): void;
  /** Returns the occurrences that are planned for a day, and removes them from the agenda. */
  take(date: string): readonly Sequel[];
}

export function createAgenda(): Agenda {
  const planned = new Map<string, Sequel[]>();
  return {
    plan(date, sequel) {
      const sequels = planned.get(date) ?? [];
      sequels.push(sequel);
      planned.set(date, sequels);
    },
    take(date) {
      const sequels = planned.get(date) ?? [];
      planned.delete(date);
      return sequels;
    },
  };
}

/** Adds a number of days to an ISO 8601 date. */
export function daysAfter(date: string, days: number): string {
  const later = new Date(`${date}T00:00:00Z`);
  later.setUTCDate(later.getUTCDate() + days);
  return later.toISOString().slice(0, 10);
}
