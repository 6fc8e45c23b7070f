import { generateUin } from '../../../shared/contract/endpoints/persons.ts';
import { inParts } from '../../../shared/domain/in-parts.ts';
import type { Paint } from '../console/terminal.ts';
import type { LocalStack } from '../start.ts';
import { type Check, checkMails, checkReceiver, checkRegistry } from './checks.ts';
import { type Client, createClient } from './client.ts';
import { createImporter, type Import } from './import-changes.ts';
import type { Mint } from './life/country.ts';
import { live } from './life/simulate-life.ts';
import { monthLine } from './month-line.ts';
import type { DemoOptions } from './options.ts';
import { thisYear } from './population/households.ts';
import { population } from './population/population.ts';
import type { Begin } from './progress.ts';
import type { RegistryCopy } from './registry-copy.ts';
import { openSubscribers, type Subscribers, subscriberCount } from './subscribers.ts';
import { waitFor } from './wait-for.ts';
import { passYear } from './year.ts';

export interface Showing {
  readonly say: (line: string) => void;
  readonly begin: Begin;
  readonly paint: Paint;
  /** Aborted: nobody wants to see more. */
  readonly signal: AbortSignal;
}

const peopleAFile = 1000;
// The fragile receiver is out of order from the first of these months until the other begins.
const [fails, isBack] = [4, 6];
const settlesWithinMs = 180_000;

type Wanted = Pick<DemoOptions, 'people' | 'seconds' | 'seed'>;

async function registerPeople(importChanges: Import, { people, seed }: Wanted, begin: Begin): Promise<RegistryCopy> {
  const registry: RegistryCopy = new Map();
  const progress = begin('registered by file:');
  const files = inParts([...population({ size: people, seed })], peopleAFile);
  for (const [index, citizens] of files.entries()) {
    await importChanges(
      `people-${index + 1}`,
      citizens.map((citizen) => ({ change: 'register', ...citizen })),
    );
    for (const { uin, attributes } of citizens) registry.set(uin, attributes);
    progress.at(`${registry.size} of ${people} people`);
  }
  progress.done(`${registry.size} people`);
  return registry;
}

const minting =
  (client: Client): Mint =>
  async (attributes, key) => {
    const uin = await client(generateUin, { body: attributes, headers: { 'Idempotency-Key': key } });
    if (uin === undefined) throw new Error('no UIN was minted');
    return uin;
  };

/** Waits until everything that was published has arrived; what has not by then is for the checks to tell. */
async function settle({ delivered }: Subscribers, published: number, { begin, signal }: Showing): Promise<void> {
  const progress = begin('waiting for what is under way:');
  const look = async () => {
    const left = published * subscriberCount - (await delivered());
    progress.at(`${left} deliveries`);
    return left <= 0 || undefined;
  };
  await waitFor('the last delivery', look, { withinMs: settlesWithinMs, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
  });
  progress.done('none');
}

/**
 * Fills the registry of a running stack, subscribes to it, lets a year pass, and looks into what has become of it.
 * @returns what was looked into
 * @throws Error where something did not work on the way; AbortError where nobody wants to see more
 */
export async function runDemo(stack: LocalStack, wanted: Wanted, showing: Showing): Promise<readonly Check[]> {
  const { say, begin, paint, signal } = showing;
  const client = createClient(stack);
  const importChanges = createImporter(stack.outputs);
  const registry = await registerPeople(importChanges, wanted, begin);
  const subscribers = await openSubscribers(client, stack.outputs.inboxUrl);
  const { steady, fragile } = subscribers.receivers;
  signal.addEventListener('abort', () => void subscribers.stop());
  say(`  subscribed: two receivers and the mailbox ${subscribers.mailbox.address}`);
  say('');
  const { people: size, seed, seconds } = wanted;
  const { published, touched } = await passYear({
    client,
    importChanges,
    registry,
    life: live({ size, seed, mint: minting(client), from: `${thisYear}-01-01`, until: `${thisYear + 1}-01-01` }),
    secondsAMonth: seconds / 12,
    signal,
    onBegin(month) {
      fragile.setOrder(month < fails || month >= isBack);
      if (month === fails) say(paint.dim('  one receiver is out of order: it answers 503'));
      if (month === isBack) say(paint.dim(`  it is back; it has refused ${fragile.refused()} attempts`));
    },
    onEnd: async (month) => say(monthLine(month, await subscribers.delivered(), paint)),
  });
  say('');
  await settle(subscribers, published.size, showing);
  const mails = (await subscribers.mailbox.mails()).length - 1;
  return [
    checkReceiver('steady', steady, published),
    checkReceiver('fragile', fragile, published),
    checkMails(mails, published.size),
    await checkRegistry(client, registry, touched),
  ];
}
