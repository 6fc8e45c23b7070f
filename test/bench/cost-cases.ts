import type { Events } from './cost-event.ts';

/**
 * Either one event every 20 seconds, so that no event shares a request or a run with another, or so many that they do.
 */
export const alone = { events: 20, rate: 0.05 };
export const busy = { events: 600, rate: 100 };

export interface Case extends Events {
  readonly what: string;
  /** The targets: cost relative to SNS behind a function, and relative to SNS deliveries alone. */
  readonly atMost?: { readonly event?: number; readonly delivery?: number };
}

/** The cost of an event by the number of its subscribers and by the event rate. */
export const cases: readonly Case[] = [
  { what: '1, alone', subscribers: 1, ...alone },
  { what: '10, alone', subscribers: 10, ...alone, atMost: { event: 1 } },
  { what: '10, 100 events a second', subscribers: 10, ...busy, atMost: { event: 1 } },
  { what: '10, alone, 1 % fail once', subscribers: 10, events: 100, rate: 0.05, once: '1%' },
  { what: '10, 100 a second, a body of 4 KB', subscribers: 10, ...busy, body: '4KB' },
  { what: '1,000, alone', subscribers: 1000, ...alone, events: 5 },
  { what: '20,000, alone', subscribers: 20_000, ...alone, events: 1, atMost: { delivery: 0.7 } },
];

/** How settings and lanes change the cost of an event to ten and to a thousand subscribers. */
export const changes: readonly Pick<Case, 'what' | 'settings' | 'perTask' | 'lanes'>[] = [
  { what: 'as it is' },
  { what: 'subscriptionsPerTask=10', perTask: 10 },
  { what: 'subscriptionsPerTask=1', perTask: 1 },
  { what: 'deliveryDays=365', settings: 'deliveryDays=365' },
  { what: 'deliverByHttp with a whole core', lanes: 'deliverByHttp=1769x100x10' },
  { what: 'deliverByHttp one task at a time', lanes: 'deliverByHttp=512x100x1' },
];
