import type { Events } from './cost-event.ts';

/**
 * In `alone`, events are 20 seconds apart, so each event has its own requests and runs. In `busy`, events are so
 * frequent that they share requests and runs.
 */
export const alone = { events: 20, rate: 0.05 };
export const busy = { events: 600, rate: 100 };

export interface Case extends Events {
  readonly what: string;
  /** The maximum ratio to the cost of SNS with a function that publishes the event. */
  readonly atMost?: number;
}

/** The combinations of subscribers and event rate to measure. */
export const cases: readonly Case[] = [
  { what: '1, alone', subscribers: 1, ...alone },
  { what: '10, alone', subscribers: 10, ...alone, atMost: 1.4 },
  { what: '10, at 100 events per second', subscribers: 10, ...busy, atMost: 1.2 },
  { what: '10, at 100 events per second, a body of 4 KB', subscribers: 10, ...busy, body: '4KB' },
  { what: '1,000, alone', subscribers: 1000, ...alone, events: 5 },
  { what: '20,000, alone', subscribers: 20_000, ...alone, events: 1 },
];
