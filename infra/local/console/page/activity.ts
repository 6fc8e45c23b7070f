import { publishEvent } from '../../../../shared/contract/endpoints/topics-endpoints.ts';
import { deliveryAttempted, deliveryFailed } from '../../../../shared/contract/log-lines.ts';
import { workerLanes } from '../../../../shared/contract/workers.ts';
import { parseLine, type StackEvent } from '../events.ts';
import { chartOf, maxSamples, publishedAtOf } from './chart.ts';
import type { Attempt, Figures } from './state.ts';

const maxAttempts = 50;
const maxMessages = 1000;

interface Tally {
  delivered: number;
  failedAttempts: number;
}

const confirmationLanes = new Set<string>(
  workerLanes.filter(({ queue }) => queue.endsWith('Confirmations')).map(({ lane }) => lane),
);

function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  const { message } = parseLine(line) ?? {};
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Collects counts and delivery attempts from the events that a running stack emits, without reading tables. */
export function createActivity(now: () => Date) {
  const since = now().toISOString();
  const counts = { published: 0, delivered: 0, failed: 0 };
  const attempts: Attempt[] = [];
  // A Map keeps its insertion order, so the oldest message comes first.
  const tallies = new Map<string, Tally>();
  const publishedAt: number[] = [];
  const deliveredAt: { at: number; latencyMs: number }[] = [];
  let revision = 0;

  function countAttempt({ messageId, class: kind, at }: Attempt): void {
    const tally = tallies.get(messageId) ?? { delivered: 0, failedAttempts: 0 };
    tally[kind === 'delivered' ? 'delivered' : 'failedAttempts'] += 1;
    tallies.set(messageId, tally);
    const [oldest] = tallies.keys();
    if (tallies.size > maxMessages && oldest !== undefined) tallies.delete(oldest);
    if (kind !== 'delivered') return;
    counts.delivered += 1;
    const published = publishedAtOf(messageId);
    if (published !== undefined) deliveredAt.push({ at: Date.parse(at), latencyMs: Date.parse(at) - published });
    if (deliveredAt.length > maxSamples) deliveredAt.shift();
  }

  function recordAttempt(functionName: string, fields: Readonly<Record<string, unknown>>): void {
    const attempt: Attempt = {
      // Attempts of a batch are logged together when the slowest attempt has ended.
      at: String(fields.at),
      messageId: String(fields.messageId),
      subscription: String(fields.subscription),
      ordinal: (numberIn(fields.attempt) ?? 0) + 1,
      class: String(fields.class),
      status: numberIn(fields.status),
      code: typeof fields.code === 'string' ? fields.code : undefined,
      durationMs: numberIn(fields.milliseconds),
      kind: confirmationLanes.has(functionName) ? 'confirmation' : 'event',
    };
    attempts.unshift(attempt);
    attempts.splice(maxAttempts);
    if (attempt.kind === 'event') countAttempt(attempt);
  }

  return {
    record(event: StackEvent): void {
      revision += 1;
      if (event.kind === 'request') {
        const { method, path, status } = event;
        if (method === publishEvent.method && path === publishEvent.path && status === 200) {
          counts.published += 1;
          publishedAt.push(now().getTime());
          if (publishedAt.length > maxSamples) publishedAt.shift();
        }
      }
      if (event.kind !== 'log') return;
      const fields = fieldsOf(event.line);
      if (fields.message === deliveryAttempted) recordAttempt(event.functionName, fields);
      if (fields.message === deliveryFailed) counts.failed += 1;
    },
    /** Returns a number that increases with each stack event. Stored data rarely changes without a stack event. */
    revision: () => revision,
    figures: (): Figures => ({
      counts: [
        { name: 'Published', count: counts.published },
        { name: 'Delivered', count: counts.delivered },
        { name: 'Failed permanently', count: counts.failed, isBad: true },
      ],
      note: 'Published, delivered and permanently failed since ',
      since,
    }),
    chart: () => chartOf(publishedAt, deliveredAt, now().getTime()),
    attempts: (): readonly Attempt[] => attempts.toSorted((one, other) => other.at.localeCompare(one.at)),
    latest: () => ({
      messageIds: [...new Set(attempts.filter(({ kind }) => kind === 'event').map(({ messageId }) => messageId))],
      subscriptions: [...new Set(attempts.map(({ subscription }) => subscription))],
    }),
    /**
     * Returns how many attempts for a message have succeeded and failed since the start. Returns zeros if the message
     * is not one of the 1,000 latest messages.
     */
    tallyOf: (messageId: string): Readonly<Tally> => tallies.get(messageId) ?? { delivered: 0, failedAttempts: 0 },
  };
}

export type Activity = ReturnType<typeof createActivity>;
