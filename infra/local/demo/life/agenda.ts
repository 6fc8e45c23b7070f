import type { Occurrence } from './occurrence.ts';

/** What follows from something that happened; nothing where it has lost its reason. */
export type Sequel = (date: string) => readonly Occurrence[];

/** What is to happen on days to come. */
export interface Agenda {
  plan(date: string, sequel: Sequel): void;
  /** Takes what is planned for a day. */
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

/** ISO 8601, so many days later. */
export function daysAfter(date: string, days: number): string {
  const later = new Date(`${date}T00:00:00Z`);
  later.setUTCDate(later.getUTCDate() + days);
  return later.toISOString().slice(0, 10);
}
