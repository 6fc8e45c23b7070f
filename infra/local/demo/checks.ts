import { readPerson } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { type Attributes, standardAttributes } from '../../../shared/domain/persons/attributes.ts';
import type { Client } from './client.ts';
import type { Receiver } from './receiver.ts';
import type { RegistryCopy } from './registry-copy.ts';
import type { YearResult } from './year.ts';

export interface Check {
  readonly isGood: boolean;
  readonly text: string;
}

/** Checks that a receiver received every event exactly once, as published, and nothing else. */
export function checkReceiver(
  name: string,
  { accepted: taken, forged }: Receiver,
  published: YearResult['published'],
): Check {
  const wrong = {
    missing: [...published.keys()].filter((id) => !taken.has(id)).length,
    'received more than once': [...taken.values()].filter(({ length }) => length > 1).length,
    'different from what was published': [...taken].filter(([id, [first]]) => published.get(id) !== first).length,
    'with an invalid signature': forged(),
  };
  const problems = Object.entries(wrong).filter(([, count]) => count > 0);
  if (problems.length > 0) {
    return {
      isGood: false,
      text: `the ${name} receiver: ${problems.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    };
  }
  return {
    isGood: true,
    text: `the ${name} receiver got each of the ${published.size} events exactly once, with a valid signature`,
  };
}

export function checkMails(mails: number, events: number): Check {
  if (mails === events) return { isGood: true, text: `the mailbox got ${mails} emails, one per event` };
  return { isGood: false, text: `the mailbox got ${mails} emails for ${events} events` };
}

const attributeNames = Object.keys(standardAttributes).filter((name) => name !== 'uin');
const maxSample = 100;
const concurrency = 8;

const spread = <Value>(values: readonly Value[], count: number): Value[] =>
  values.filter((_, index) => index % Math.ceil(values.length / count) === 0);

type Person = Readonly<Record<string, unknown>>;

const agree = (person: Person | undefined, attributes: Attributes | undefined): boolean =>
  person === undefined || attributes === undefined
    ? (person === undefined) === (attributes === undefined)
    : attributeNames.every((name) => {
        const value = person[name];
        // For a missing attribute, the API returns an Error object instead of a value.
        return attributes[name] === undefined ? typeof value === 'object' : value === attributes[name];
      });

/** Compares persons in the API with the expected data, in two samples: persons who changed during the year, and others. */
export async function checkRegistry(
  client: Client,
  registry: RegistryCopy,
  touched: YearResult['touched'],
): Promise<Check> {
  const others = [...registry.keys()].filter((uin) => !touched.has(uin));
  const sample = [...spread([...touched], maxSample), ...spread(others, maxSample)];
  const queue = sample.values();
  const wrong: string[] = [];
  const checkNext = async (): Promise<void> => {
    for (const uin of queue) {
      const person = await client(readPerson, { path: { uin }, query: { attributeNames } });
      if (!agree(person, registry.get(uin))) wrong.push(uin);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, checkNext));
  if (wrong.length === 0)
    return { isGood: true, text: `the registry returned correct data for all ${sample.length} persons in the sample` };
  const named = wrong.slice(0, 5).join(', ');
  return {
    isGood: false,
    text: `the registry returned wrong data for ${wrong.length} of ${sample.length} persons: ${named}`,
  };
}
