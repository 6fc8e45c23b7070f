import type { Events } from './cost-event.ts';

/** An event every 20 seconds, so that none shares a request or a run with another; and so many that they do. */
export const alone = { events: 20, rate: 0.05 };
export const busy = { events: 600, rate: 100 };

export interface Case extends Events {
  readonly what: string;
  /** What it may cost beside SNS with a function before it; of what SNS takes for deliveries. */
  readonly atMost?: { readonly event?: number; readonly delivery?: number };
}

/** What an event costs, by how many it is for and how many there are. */
export const cases: readonly Case[] = [
  { what: '1, alone', subscribers: 1, ...alone },
  { what: '10, alone', subscribers: 10, ...alone, atMost: { event: 1 } },
  { what: '10, 100 events a second', subscribers: 10, ...busy, atMost: { event: 1 } },
  { what: '10, alone, 1 % fail once', subscribers: 10, events: 100, rate: 0.05, once: '1%' },
  { what: '10, 100 a second, a body of 4 KB', subscribers: 10, ...busy, body: '4KB' },
  { what: '1,000, alone', subscribers: 1000, ...alone, events: 5 },
  { what: '20,000, alone', subscribers: 20_000, ...alone, events: 1, atMost: { delivery: 0.7 } },
];

/** What settings and lanes change of an event to ten and to a thousand. */
export const changes: readonly Pick<Case, 'what' | 'settings' | 'lanes'>[] = [
  { what: 'as it is' },
  { what: 'subscriptionsPerTask=10', settings: 'subscriptionsPerTask=10' },
  { what: 'subscriptionsPerTask=1', settings: 'subscriptionsPerTask=1' },
  { what: 'ledgerDays=365', settings: 'ledgerDays=365' },
  { what: 'deliverByHttp with a whole core', lanes: 'deliverByHttp=1769x100x10' },
  { what: 'deliverByHttp one task at a time', lanes: 'deliverByHttp=512x100x1' },
];
