import type { EventField, EventType } from '../../domain/topics/event.ts';

/** Each event type as a list names it. */
export type EventNames = Readonly<Record<EventType, string>>;

/** What is said of an event of each type, and what its fields are called there. */
export type EventTexts = {
  readonly [T in EventType]: {
    readonly happened: string;
    readonly labels: Readonly<Record<EventField<T>, string>>;
  };
};
