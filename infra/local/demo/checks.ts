import { listDeliveries } from '../../../shared/contract/endpoints/deliveries-endpoints.ts';
import { readPerson } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { type Attributes, standardAttributes } from '../../../shared/domain/persons/attributes.ts';
import type { Client } from './client.ts';
import { failuresOf, type Receiver, retriesOf } from './receiver.ts';
import type { RegistryCopy } from './registry-copy.ts';
import type { YearResult } from './year.ts';

export interface Check {
  readonly isGood: boolean;
  readonly text: string;
}

const inEnglish = (count: number): string => count.toLocaleString('en');

export const checkEvents = (events: number, least: number): Check => ({
  isGood: events >= least,
  text: `${inEnglish(events)} events were published (at least ${least})`,
});

function problemsOf({ stored }: Pick<Receiver, 'stored'>, published: YearResult['published']): string[] {
  const wrong = {
    lost: [...published.keys()].filter((id) => !stored.has(id)).length,
    'stored twice': [...stored.values()].filter(({ length }) => length > 1).length,
    'different from the published event': [...stored].filter(([id, [first]]) => published.get(id) !== first).length,
  };
  return Object.entries(wrong).flatMap(([what, count]) => (count > 0 ? `${count} ${what}` : []));
}

/** Checks that each subscriber received every event exactly once and unchanged, and that no other events arrived. */
export function checkDeliveries(
  receivers: Readonly<Record<string, Pick<Receiver, 'stored'>>>,
  mails: number,
  published: YearResult['published'],
): Check {
  const events = published.size;
  const problems = Object.entries(receivers).flatMap(([name, receiver]) => {
    const found = problemsOf(receiver, published);
    return found.length === 0 ? [] : `the ${name} receiver: ${found.join(', ')}`;
  });
  if (mails !== events) problems.push(`the mailbox received ${mails} emails for ${events} events`);
  if (problems.length > 0) return { isGood: false, text: problems.join('; ') };
  const count = inEnglish(events * (Object.keys(receivers).length + 1));
  const names = `${Object.keys(receivers).length} receivers and a mailbox`;
  return { isGood: true, text: `${count} deliveries reached ${names}: lost 0, duplicates 0, changed 0` };
}

// The number of attempts that the API returns for each delivery. The latest attempts come first.
const shownAttempts = 10;

/** Checks that the registry recorded and retried every delivery attempt that the receiver deliberately let fail. */
export async function checkRetries(
  client: Client,
  uuid: string,
  receiver: Pick<Receiver, 'requests' | 'failures'>,
): Promise<Check> {
  const [injected, retries] = [failuresOf(receiver), retriesOf(receiver)];
  const retried = [...receiver.requests].filter(([, count]) => count > 1);
  const wrong = await filterInParallel(retried, async ([messageId, count]) => {
    const [delivery] = (await client(listDeliveries, { path: { uuid }, query: { messageId, limit: '1' } })) ?? [];
    const attempts = Math.min(count, shownAttempts);
    return delivery?.state !== 'delivered' || delivery.attempts.length !== attempts;
  });
  const { unavailable, lostResponse } = receiver.failures;
  const kinds = `${unavailable} times status 503, ${lostResponse} lost responses`;
  if (retries !== injected || wrong.length > 0) {
    const records = `the API returned wrong attempts for ${wrong.length} events`;
    return { isGood: false, text: `${injected} failures (${kinds}) led to ${retries} retries; ${records}` };
  }
  return {
    isGood: true,
    text: `${injected} failures injected (${kinds}): the registry recorded each and made ${retries} retries`,
  };
}

export const checkForgeries = (sent: number, rejected: number): Check => ({
  isGood: sent === rejected,
  text: `${rejected} of ${sent} forged deliveries were rejected by the receivers`,
});

const attributeNames = Object.keys(standardAttributes).filter((name) => name !== 'uin');
const maxSample = 100;
const concurrency = 8;

const spread = <Value>(values: readonly Value[], count: number): Value[] =>
  values.filter((_, index) => index % Math.ceil(values.length / count) === 0);

async function filterInParallel<Value>(
  values: readonly Value[],
  isWanted: (value: Value) => Promise<boolean>,
): Promise<Value[]> {
  const queue = values.values();
  const found: Value[] = [];
  const checkNext = async (): Promise<void> => {
    for (const value of queue) if (await isWanted(value)) found.push(value);
  };
  await Promise.all(Array.from({ length: concurrency }, checkNext));
  return found;
}

type Person = Readonly<Record<string, unknown>>;

const agree = (person: Person | undefined, attributes: Attributes | undefined): boolean =>
  person === undefined || attributes === undefined
    ? (person === undefined) === (attributes === undefined)
    : attributeNames.every((name) => {
        const value = person[name];
        // For a missing attribute, the API returns an Error object instead of a value.
        return attributes[name] === undefined ? typeof value === 'object' : value === attributes[name];
      });

/**
 * Compares a sample of the persons who changed during the year, and a sample of all other persons, with the expected
 * data.
 */
export async function checkRegistry(
  client: Client,
  registry: RegistryCopy,
  touched: YearResult['touched'],
): Promise<Check> {
  const others = [...registry.keys()].filter((uin) => !touched.has(uin));
  const sample = [...spread([...touched], maxSample), ...spread(others, maxSample)];
  const wrong = await filterInParallel(sample, async (uin) => {
    const person = await client(readPerson, { path: { uin }, query: { attributeNames } });
    return !agree(person, registry.get(uin));
  });
  if (wrong.length === 0)
    return { isGood: true, text: `the registry returned correct data for all ${sample.length} persons in the sample` };
  const named = wrong.slice(0, 5).join(', ');
  return {
    isGood: false,
    text: `the registry returned wrong data for ${wrong.length} of ${sample.length} persons in the sample: ${named}`,
  };
}
