import { publishEvent } from '../../../../shared/contract/endpoints/topics.ts';
import { deliveryAttempted, deliveryFailed } from '../../../../shared/contract/log-lines.ts';
import { workers } from '../../../../shared/contract/workers.ts';
import type { StackEvent } from '../events.ts';
import { parseLine } from '../parse-line.ts';
import type { Attempt, Figures } from './state.ts';

const mostAttempts = 50;
const mostMessages = 1000;

interface Tally {
  delivered: number;
  failedTries: number;
}

const confirming = new Set<string>(
  workers.flatMap(({ lanes }) => lanes.filter(({ queue }) => queue.endsWith('Confirmations')).map(({ lane }) => lane)),
);

function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  const { message } = parseLine(line) ?? {};
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** What can be told of a running stack from what it says: figures cost no read, however much is stored. */
export function createHeard(now: () => Date) {
  const since = now().toISOString();
  const counts = { published: 0, delivered: 0, failed: 0 };
  const attempts: Attempt[] = [];
  // The oldest entry is the first.
  const tallies = new Map<string, Tally>();
  let revision = 0;

  function count({ messageId, class: kind }: Attempt): void {
    const tally = tallies.get(messageId) ?? { delivered: 0, failedTries: 0 };
    tally[kind === 'delivered' ? 'delivered' : 'failedTries'] += 1;
    tallies.set(messageId, tally);
    const [oldest] = tallies.keys();
    if (tallies.size > mostMessages && oldest !== undefined) tallies.delete(oldest);
    if (kind === 'delivered') counts.delivered += 1;
  }

  function attempted(functionName: string, fields: Readonly<Record<string, unknown>>): void {
    const attempt: Attempt = {
      at: now().toISOString(),
      messageId: String(fields.messageId),
      subscription: String(fields.subscription),
      ordinal: (numberIn(fields.attempt) ?? 0) + 1,
      class: String(fields.class),
      status: numberIn(fields.status),
      durationMs: numberIn(fields.milliseconds),
      isConfirmation: confirming.has(functionName),
    };
    attempts.unshift(attempt);
    attempts.splice(mostAttempts);
    if (!attempt.isConfirmation) count(attempt);
  }

  return {
    hear(event: StackEvent): void {
      revision += 1;
      if (event.kind === 'request') {
        const { method, path, status } = event;
        if (method === publishEvent.method && path === publishEvent.path && status === 200) counts.published += 1;
      }
      if (event.kind !== 'log') return;
      const fields = fieldsOf(event.line);
      if (fields.message === deliveryAttempted) attempted(event.functionName, fields);
      if (fields.message === deliveryFailed) counts.failed += 1;
    },
    /** Another number after everything that was heard: while it stays, nothing that is stored has changed. */
    revision: () => revision,
    figures: (): Figures => ({ since, ...counts }),
    attempts: (): readonly Attempt[] => [...attempts],
    /** Of the latest attempts: the messages, and the subscriptions. */
    latest: () => ({
      messageIds: [...new Set(attempts.filter((one) => !one.isConfirmation).map(({ messageId }) => messageId))],
      subscriptions: [...new Set(attempts.map(({ subscription }) => subscription))],
    }),
    /** The attempts at a message since the start, of the latest thousand messages. */
    tallyOf: (messageId: string): Readonly<Tally> => tallies.get(messageId) ?? { delivered: 0, failedTries: 0 },
  };
}

export type Heard = ReturnType<typeof createHeard>;
