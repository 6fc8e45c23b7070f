import { readPerson } from '../../../shared/contract/endpoints/persons.ts';
import { type Attributes, attributeKinds } from '../../../shared/domain/persons/attributes.ts';
import type { Client } from './client.ts';
import type { Receiver } from './receiver.ts';
import type { RegistryCopy } from './registry-copy.ts';
import type { Passed } from './year.ts';

/** Something that was looked into, and what was found. */
export interface Check {
  readonly isGood: boolean;
  readonly text: string;
}

/** Whether a receiver has every event exactly once, as it was published, and nothing else. */
export function checkReceiver(name: string, { taken, forged }: Receiver, published: Passed['published']): Check {
  const wrong = {
    missing: [...published.keys()].filter((id) => !taken.has(id)).length,
    'more than once': [...taken.values()].filter(({ length }) => length > 1).length,
    'not as published': [...taken].filter(([id, [first]]) => published.get(id) !== first).length,
    'with a bad signature': forged(),
  };
  const found = Object.entries(wrong).filter(([, count]) => count > 0);
  if (found.length > 0) {
    return {
      isGood: false,
      text: `the ${name} receiver: ${found.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    };
  }
  return { isGood: true, text: `the ${name} receiver has each of the ${published.size} events exactly once, signed` };
}

export function checkMails(mails: number, events: number): Check {
  if (mails === events) return { isGood: true, text: `the mailbox has ${mails} mails, one an event` };
  return { isGood: false, text: `the mailbox has ${mails} mails, but there were ${events} events` };
}

const attributeNames = Object.keys(attributeKinds).filter((name) => name !== 'uin');
const mostOfEach = 100;
const atOnce = 8;

/** So many of them, from all over. */
const spread = <Value>(values: readonly Value[], count: number): Value[] =>
  values.filter((_, index) => index % Math.ceil(values.length / count) === 0);

type Answers = Readonly<Record<string, unknown>>;

const agree = (answers: Answers | undefined, attributes: Attributes | undefined): boolean =>
  answers === undefined || attributes === undefined
    ? (answers === undefined) === (attributes === undefined)
    : attributeNames.every((name) => {
        const answer = answers[name];
        // In place of what somebody lacks there is an Error object.
        return attributes[name] === undefined ? typeof answer === 'object' : answer === attributes[name];
      });

/** Asks the API for some of those whom the year has touched, and some others, and compares them with what should be. */
export async function checkRegistry(
  client: Client,
  registry: RegistryCopy,
  touched: Passed['touched'],
): Promise<Check> {
  const others = [...registry.keys()].filter((uin) => !touched.has(uin));
  const sample = [...spread([...touched], mostOfEach), ...spread(others, mostOfEach)];
  const waiting = sample.values();
  const wrong: string[] = [];
  const ask = async (): Promise<void> => {
    for (const uin of waiting) {
      const answers = await client(readPerson, { path: { uin }, query: { attributeNames } });
      if (!agree(answers, registry.get(uin))) wrong.push(uin);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  if (wrong.length === 0)
    return { isGood: true, text: `the registry answers rightly for all ${sample.length} who were asked for` };
  const named = wrong.slice(0, 5).join(', ');
  return { isGood: false, text: `the registry answers wrongly for ${wrong.length} of ${sample.length}: ${named}` };
}
