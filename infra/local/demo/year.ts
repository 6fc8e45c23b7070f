import { setTimeout as sleep } from 'node:timers/promises';
import { publishEvent } from '../../../shared/contract/endpoints/topics.ts';
import type { EventType } from '../../../shared/domain/topics/event.ts';
import type { Client } from './client.ts';
import type { Import } from './import-changes.ts';
import type { Occurrence } from './life/occurrence.ts';
import { applyTo, type RegistryCopy } from './registry-copy.ts';
import { topicName } from './subscribers.ts';

/** What a month brought. */
export interface Month {
  /** 1 is January. */
  readonly number: number;
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
  /** Events since the year began. */
  readonly published: number;
}

export interface Passing {
  readonly client: Client;
  readonly importChanges: Import;
  readonly life: AsyncGenerator<Occurrence>;
  /** What the registry should hold; it is kept so. */
  readonly registry: RegistryCopy;
  readonly secondsAMonth: number;
  readonly signal: AbortSignal;
  /** Hears of each month before it, and after. */
  readonly onBegin: (month: number) => void;
  readonly onEnd: (month: Month) => Promise<void>;
}

export interface Passed {
  /** Subject and body of each message, by its id. */
  readonly published: ReadonlyMap<string, string>;
  /** The UINs of all of whom something was told. */
  readonly touched: ReadonlySet<string>;
}

const months = 12;

/** Those of a month, while the life goes on behind them; to look ahead gives the first of the next. */
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
 * Lets a year pass. Who is born has a UIN from the API by then; everything else of a month goes into one file of changes,
 * and once it is applied the month's events are published, one after another.
 */
export async function passYear(passing: Passing): Promise<Passed> {
  const { client, importChanges, life, registry, secondsAMonth, signal, onBegin, onEnd } = passing;
  const published = new Map<string, string>();
  const touched = new Set<string>();
  let number = 0;
  let until = performance.now();

  async function publish({ event: { type, body } }: Occurrence): Promise<void> {
    const answer = await client(publishEvent, { path: { uuid: topicName }, query: { subject: type }, body });
    if (answer === undefined) throw new Error('nobody knows the topic any more');
    published.set(answer.messageId, `${type} ${JSON.stringify(body)}`);
  }

  for await (const occurrences of byMonth(life)) {
    number += 1;
    until += secondsAMonth * 1000;
    onBegin(number);
    await importChanges(
      `month-${String(number).padStart(2, '0')}`,
      occurrences.flatMap(({ changes }) => changes),
    );
    const counts: Partial<Record<EventType, number>> = {};
    for (const [index, one] of occurrences.entries()) {
      const left = until - performance.now();
      if (left > 0) await sleep(left / (occurrences.length - index + 1), undefined, { signal });
      signal.throwIfAborted();
      await publish(one);
      applyTo(registry, one);
      counts[one.event.type] = (counts[one.event.type] ?? 0) + 1;
      for (const uin of uinsOf(one)) touched.add(uin);
    }
    await sleep(Math.max(0, until - performance.now()), undefined, { signal });
    await onEnd({ number, counts, published: published.size });
  }
  return { published, touched };
}

const uinsOf = ({ changes, event: { body } }: Occurrence): string[] => {
  const { source: _, ...named } = body;
  const changed = changes.flatMap((change) => ('uin' in change ? [change.uin] : []));
  return [...Object.values(named).flat(), ...changed];
};
