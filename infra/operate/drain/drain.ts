import type { Counts, DrainedStack } from './drained-stack.ts';

// SQS message counts are approximate, so a queue counts as empty only after several minutes with a count of 0
// ("Troubleshooting messages not returned for an Amazon SQS ReceiveMessage API call", Amazon SQS Developer Guide).
export const pollMilliseconds = 30_000;
export const emptyPolls = 11;

const listed = (counts: Counts): string => [...counts].map(([queue, count]) => `${count} in ${queue}`).join(', ');

/** @throws Error that names the dead-letter queues that have messages */
async function refuseDeadLetters({ deadLetters }: Pick<DrainedStack, 'deadLetters'>): Promise<void> {
  const dead = await deadLetters();
  if (dead.size === 0) return;
  throw new Error(
    `dead letters would be lost: ${listed(dead)}. Redrive or delete them (infra/runbook/alarms.md#dead-letters)`,
  );
}

/**
 * Stops all functions that send new messages, and waits until the queues of the service stack are empty.
 * @throws Error if a dead-letter queue has messages before or after the drain
 */
export async function drain(
  service: Pick<DrainedStack, 'deadLetters' | 'waiting' | 'stop'>,
  say: (line: string) => void,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  await refuseDeadLetters(service);
  await service.stop();
  say('Publishing is stopped: callers get a 5xx response. To start publishing again, run npm run drain with --resume.');
  let last = '';
  for (let polls = 0; polls < emptyPolls; ) {
    const waiting = await service.waiting();
    polls = waiting.size === 0 ? polls + 1 : 0;
    const line = waiting.size === 0 ? 'all queues look empty' : `waiting for ${listed(waiting)}`;
    if (line !== last) say(line);
    last = line;
    if (polls < emptyPolls) await sleep(pollMilliseconds);
  }
  await refuseDeadLetters(service);
}
