import type { EventField, EventType } from '../../domain/topics/event.ts';

/** The name of each event type, for lists. */
export type EventNames = Readonly<Record<EventType, string>>;

/** Sentences about the events of each type, and the labels of their fields. */
export type EventTexts = {
  readonly [T in EventType]: {
    readonly happened: string;
    readonly labels: Readonly<Record<EventField<T>, string>>;
  };
};
