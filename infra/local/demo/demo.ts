import { generateUin } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { inParts } from '../../../shared/domain/in-parts.ts';
import type { EventType } from '../../../shared/domain/topics/event.ts';
import type { Paint } from '../console/terminal.ts';
import type { Progress, StartProgress } from '../progress.ts';
import type { LocalStack } from '../start.ts';
import { type Check, checkDeliveries, checkEvents, checkForgeries, checkRegistry, checkRetries } from './checks.ts';
import { type Client, createClient } from './client.ts';
import { createImporter, type Import } from './import-changes.ts';
import type { Mint } from './life/country.ts';
import { simulateLife } from './life/simulate-life.ts';
import { monthHeader, monthLine } from './month-table.ts';
import type { DemoOptions } from './options.ts';
import { population, thisYear } from './population/population.ts';
import { failuresOf, retriesOf, sendForgeries } from './receiver.ts';
import type { RegistryCopy } from './registry-copy.ts';
import { openSubscribers, type Subscribers, subscriberCount } from './subscribers.ts';
import { waitFor } from './wait-for.ts';
import { type Month, simulateYear } from './year.ts';

const monthName = (number: number): string =>
  new Date(Date.UTC(thisYear, number - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

interface DemoOutput {
  readonly print: (line: string) => void;
  readonly startProgress: StartProgress;
  readonly paint: Paint;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

const personsPerFile = 1000;
const deliveryTimeoutMs = 180_000;

type RunOptions = Pick<DemoOptions, 'people' | 'seconds' | 'seed'>;

async function registerPeople(
  importChanges: Import,
  { people, seed }: RunOptions,
  startProgress: StartProgress,
): Promise<RegistryCopy> {
  const registry: RegistryCopy = new Map();
  const progress = startProgress('registered by file import:');
  const files = inParts([...population({ size: people, seed })], personsPerFile);
  for (const [index, citizens] of files.entries()) {
    await importChanges(
      `people-${index + 1}`,
      citizens.map((citizen) => ({ change: 'register', ...citizen })),
    );
    for (const { uin, attributes } of citizens) registry.set(uin, attributes);
    progress.update(`${registry.size} of ${people} people`);
  }
  progress.done(`${registry.size} people`);
  return registry;
}

const createMint =
  (client: Client): Mint =>
  async (attributes, key) => {
    const uin = await client(generateUin, { body: attributes, headers: { 'Idempotency-Key': key } });
    if (uin === undefined) throw new Error('the registry returned no UIN');
    return uin;
  };

/**
 * Waits until the subscribers have received all published events, or until a timeout. The checks report missing events.
 */
async function waitForDeliveries(
  { delivered, receivers: { fragile } }: Subscribers,
  published: number,
  { startProgress, signal }: DemoOutput,
): Promise<void> {
  const progress = startProgress('waiting for pending deliveries:');
  const poll = async () => {
    const pending = published * subscriberCount - (await delivered());
    const left = pending + failuresOf(fragile) - retriesOf(fragile);
    progress.update(`${left} deliveries`);
    return left <= 0 || undefined;
  };
  await waitFor('the last delivery', poll, { timeoutMs: deliveryTimeoutMs, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
  });
  progress.done('none');
}

/**
 * Repeats a failing check for up to ten seconds, because the registry records an attempt only after the receiver
 * responds.
 */
async function checkRepeatedly(check: () => Promise<Check>, signal: AbortSignal): Promise<Check> {
  const poll = async () => {
    const result = await check();
    return result.isGood ? result : undefined;
  };
  return waitFor('a good result', poll, { timeoutMs: 10_000, signal }).catch(check);
}

const leastEvents = 300;

// The months in which the receiver `fragile` fails, and how it fails in each of them.
const failures = {
  2: { failure: 'lostResponse', note: 'responses from one receiver are lost in the network' },
  4: { failure: 'unavailable', note: 'one receiver is down: it returns 503' },
  5: { failure: 'unavailable', note: 'the receiver is still down' },
} as const;

const failureIn = (month: number) => failures[month as keyof typeof failures];

/** Prints a table row for each month, and shows the progress of the current month. */
function showMonths({ receivers, delivered }: Subscribers, { print, startProgress, paint, isTerminal }: DemoOutput) {
  const { fragile } = receivers;
  const year: { counts: Partial<Record<EventType, number>>; trend: number[] } = { counts: {}, trend: [] };
  let before = { delivered: 0, failed: 0 };
  let progress: Progress | undefined;
  print(monthHeader(paint));
  return {
    onBegin(month: number): void {
      fragile.failWith(failureIn(month)?.failure);
      // Shows progress only on terminals. On other streams, one row for each month is sufficient.
      if (isTerminal) progress = startProgress(`${monthName(month)}:`);
    },
    onPublished(month: number, published: number, all: number): void {
      const note = failureIn(month)?.note;
      progress?.update(`${published} of ${all} events${note ? `; ${note}` : ''}`);
    },
    async onEnd({ number, counts, trend, published }: Month): Promise<void> {
      const now = { delivered: await delivered(), failed: failuresOf(fragile) };
      const month = {
        delivered: now.delivered - before.delivered,
        failed: now.failed - before.failed,
        pending: published * subscriberCount - now.delivered,
      };
      before = now;
      for (const [type, count] of Object.entries(counts) as [EventType, number][])
        year.counts[type] = (year.counts[type] ?? 0) + count;
      year.trend.push(trend.reduce((sum, count) => sum + count, 0));
      progress?.clear();
      const note = failureIn(number)?.note;
      print(monthLine(monthName(number), { counts, trend }, month, paint) + (note ? paint.dim(`   ${note}`) : ''));
    },
    async printYear(published: number): Promise<void> {
      const all = { delivered: await delivered(), failed: failuresOf(fragile) };
      print(
        paint.bold(monthLine('Year', year, { ...all, pending: published * subscriberCount - all.delivered }, paint)),
      );
    },
  };
}

/**
 * Fills the registry of a running stack, subscribes to events, simulates a year, and checks the result.
 * @returns the checks
 * @throws Error if a step fails; AbortError if the user stops the demo
 */
export async function runDemo(stack: LocalStack, options: RunOptions, output: DemoOutput): Promise<readonly Check[]> {
  const { print, startProgress, signal } = output;
  const client = createClient(stack);
  const importChanges = createImporter(stack.outputs);
  const registry = await registerPeople(importChanges, options, startProgress);
  const subscribers = await openSubscribers(client, stack);
  const { steady, fragile } = subscribers.receivers;
  signal.addEventListener('abort', () => void subscribers.stop());
  print(`  subscribers: two receivers and the mailbox ${subscribers.mailbox.address}`);
  print('');
  const { people: size, seed, seconds } = options;
  const table = showMonths(subscribers, output);
  const { published, touched } = await simulateYear({
    client,
    importChanges,
    registry,
    life: simulateLife({
      size,
      seed,
      mint: createMint(client),
      from: `${thisYear}-01-01`,
      until: `${thisYear + 1}-01-01`,
      least: leastEvents,
    }),
    secondsPerMonth: seconds / 12,
    signal,
    ...table,
  });
  await waitForDeliveries(subscribers, published.size, output);
  await table.printYear(published.size);
  print('');
  const mails = (await subscribers.mailbox.mails()).length - 1;
  const sentForgeries = (await sendForgeries(steady)) + (await sendForgeries(fragile));
  return [
    checkEvents(published.size, leastEvents),
    checkDeliveries(subscribers.receivers, mails, published),
    await checkRepeatedly(() => checkRetries(client, subscribers.fragileUuid, fragile), signal),
    checkForgeries(sentForgeries, steady.forged() + fragile.forged()),
    await checkRegistry(client, registry, touched),
  ];
}
