import { generateUin } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { inParts } from '../../../shared/domain/in-parts.ts';
import type { Paint } from '../console/terminal.ts';
import type { StartProgress } from '../progress.ts';
import type { LocalStack } from '../start.ts';
import { type Check, checkMails, checkReceiver, checkRegistry } from './checks.ts';
import { type Client, createClient } from './client.ts';
import { createImporter, type Import } from './import-changes.ts';
import type { Mint } from './life/country.ts';
import { simulateLife } from './life/simulate-life.ts';
import type { DemoOptions } from './options.ts';
import { population, thisYear } from './population/population.ts';
import type { RegistryCopy } from './registry-copy.ts';
import { openSubscribers, type Subscribers, subscriberCount } from './subscribers.ts';
import { waitFor } from './wait-for.ts';
import { type Month, simulateYear } from './year.ts';

const monthName = (number: number): string =>
  new Date(Date.UTC(thisYear, number - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

/** Formats a line about a month: its events, and the notifications that have been delivered or are pending this year. */
function monthLine({ number, counts, published }: Month, delivered: number, paint: Paint): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { liveBirth: births = 0, death: deaths = 0, marriage: marriages = 0 } = counts;
  const others = all - births - deaths - marriages;
  const pending = published * subscriberCount - delivered;
  const shown = Object.entries({ births, deaths, marriages, others, delivered, pending }).map(([word, count]) => {
    const figure = String(count).padStart(word === 'delivered' ? 6 : 4);
    return `${paint.dim(word)}${word === 'pending' && count > 0 ? paint.yellow(figure) : figure}`;
  });
  return `  ${monthName(number).padEnd(10)}${shown.join('   ')}`;
}

interface DemoOutput {
  readonly print: (line: string) => void;
  readonly startProgress: StartProgress;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

const personsPerFile = 1000;
// The months in which the receiver `fragile` becomes unavailable and then available again.
const [downFrom, upFrom] = [4, 6];
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

/** Waits until the receivers have all published events. Ignores a timeout, because the checks report missing events. */
async function waitForDeliveries(
  { delivered }: Subscribers,
  published: number,
  { startProgress, signal }: DemoOutput,
): Promise<void> {
  const progress = startProgress('waiting for pending deliveries:');
  const poll = async () => {
    const left = published * subscriberCount - (await delivered());
    progress.update(`${left} deliveries`);
    return left <= 0 || undefined;
  };
  await waitFor('the last delivery', poll, { timeoutMs: deliveryTimeoutMs, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
  });
  progress.done('none');
}

/**
 * Fills the registry of a running stack, subscribes to events, simulates a year, and checks the result.
 * @returns the checks
 * @throws Error if a step fails; AbortError if the user stops the demo
 */
export async function runDemo(stack: LocalStack, options: RunOptions, output: DemoOutput): Promise<readonly Check[]> {
  const { print, startProgress, paint, signal } = output;
  const client = createClient(stack);
  const importChanges = createImporter(stack.outputs);
  const registry = await registerPeople(importChanges, options, startProgress);
  const subscribers = await openSubscribers(client, stack);
  const { steady, fragile } = subscribers.receivers;
  signal.addEventListener('abort', () => void subscribers.stop());
  print(`  subscribers: two receivers and the mailbox ${subscribers.mailbox.address}`);
  print('');
  const { people: size, seed, seconds } = options;
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
    }),
    secondsPerMonth: seconds / 12,
    signal,
    onBegin(month) {
      fragile.setAvailable(month < downFrom || month >= upFrom);
      if (month === downFrom) print(paint.dim('one receiver is down: it returns 503'));
      if (month === upFrom) print(paint.dim(`the receiver is up again. It rejected ${fragile.rejected()} attempts.`));
    },
    onEnd: async (month) => print(monthLine(month, await subscribers.delivered(), paint)),
  });
  print('');
  await waitForDeliveries(subscribers, published.size, output);
  const mails = (await subscribers.mailbox.mails()).length - 1;
  return [
    checkReceiver('steady', steady, published),
    checkReceiver('fragile', fragile, published),
    checkMails(mails, published.size),
    await checkRegistry(client, registry, touched),
  ];
}
