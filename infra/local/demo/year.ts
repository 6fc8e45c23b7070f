import { setTimeout as sleep } from 'node:timers/promises';
import { publishEvent } from '../../../shared/contract/endpoints/topics-endpoints.ts';
import type { EventType } from '../../../shared/domain/topics/event.ts';
import type { Client } from './client.ts';
import type { Import } from './import-changes.ts';
import type { Occurrence } from './life/occurrence.ts';
import { applyTo, type RegistryCopy } from './registry-copy.ts';
import { topicName } from './subscribers.ts';

export interface Month {
  /** The number of the month, from 1 for January. */
  readonly number: number;
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
  /** The number of events in each of ten parts of the month. */
  readonly trend: readonly number[];
  readonly published: number;
}

interface YearOptions {
  readonly client: Client;
  readonly importChanges: Import;
  readonly life: AsyncGenerator<Occurrence>;
  readonly registry: RegistryCopy;
  readonly secondsPerMonth: number;
  readonly signal: AbortSignal;
  readonly onBegin: (month: number) => void;
  readonly onPublished: (month: number, published: number, all: number) => void;
  readonly onEnd: (month: Month) => Promise<void>;
}

export interface YearResult {
  readonly published: ReadonlyMap<string, string>;
  readonly touched: ReadonlySet<string>;
}

const months = 12;
const tenths = 10;

async function* byMonth(life: AsyncGenerator<Occurrence>): AsyncGenerator<readonly Occurrence[]> {
  let next = await life.next();
  for (let month = 1; month <= months; month++) {
    const occurrences: Occurrence[] = [];
    while (!next.done && Number(next.value.date.slice(5, 7)) === month) {
      occurrences.push(next.value);
      next = await life.next();
    }
    yield occurrences;
  }
}

/**
 * Simulates a year. Newborns get their UIN from the API. All other changes in a month are imported as one file. After
 * the import, the month's events are published in order.
 */
export async function simulateYear(options: YearOptions): Promise<YearResult> {
  const { client, importChanges, life, registry, secondsPerMonth, signal, onBegin, onPublished, onEnd } = options;
  const published = new Map<string, string>();
  const touched = new Set<string>();
  let number = 0;
  let until = performance.now();

  async function publish({ event: { type, body } }: Occurrence): Promise<void> {
    const response = await client(publishEvent, { path: { uuid: topicName }, query: { subject: type }, body });
    if (response === undefined) throw new Error('the topic no longer exists');
    published.set(response.messageId, `${type} ${JSON.stringify(body)}`);
  }

  for await (const occurrences of byMonth(life)) {
    number += 1;
    until += secondsPerMonth * 1000;
    onBegin(number);
    await importChanges(
      `month-${String(number).padStart(2, '0')}`,
      occurrences.flatMap(({ changes }) => changes),
    );
    const counts: Partial<Record<EventType, number>> = {};
    const trend = Array<number>(tenths).fill(0);
    for (const [index, occurrence] of occurrences.entries()) {
      const remainingMs = until - performance.now();
      if (remainingMs > 0) await sleep(remainingMs / (occurrences.length - index + 1), undefined, { signal });
      signal.throwIfAborted();
      await publish(occurrence);
      applyTo(registry, occurrence);
      counts[occurrence.event.type] = (counts[occurrence.event.type] ?? 0) + 1;
      const tenth = Math.floor(((Number(occurrence.date.slice(8)) - 1) / 31) * tenths);
      trend[tenth] = (trend[tenth] ?? 0) + 1;
      onPublished(number, index + 1, occurrences.length);
      for (const uin of uinsOf(occurrence)) touched.add(uin);
    }
    await sleep(Math.max(0, until - performance.now()), undefined, { signal });
    await onEnd({ number, counts, trend, published: published.size });
  }
  return { published, touched };
}

const uinsOf = ({ changes, event: { body } }: Occurrence): string[] => {
  const { source: _, ...named } = body;
  const changed = changes.flatMap((change) => ('uin' in change ? [change.uin] : []));
  return [...Object.values(named).flat(), ...changed];
};
