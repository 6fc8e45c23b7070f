/*
 * Promise: a process of ours may die at any moment and nothing is lost; a receiver sees a message again only when the
 * process died between the POST and its record, once for each death, with the same message-id.
 *
 * Every call that a function makes (DynamoDB, SQS, the channel) is a place to die: before the call, and after it took
 * effect but before its answer was seen. Each place is tried, once with queues that show the work again and once with
 * queues that have lost everything.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { StoredSubscription } from '../../shared/model/subscription.ts';
import { type Mortal, mortal, type When } from '../support/mortal.ts';
import { type Answering, accepts, refuses, usePlant } from '../support/plant.ts';

const plant = usePlant();
const body = '{"source":"CR"}';
const longBody = JSON.stringify({ source: 'x'.repeat(9000) });
const gone: Answering = () => ({ class: 'http', status: 410 });
const firstFails: Answering = (post, tries) => (tries === 0 ? refuses(post, tries) : { class: 'delivered' });

/** What a process does when it dies, and what is done about it by whoever waits for its answer. */
interface Work {
  run(): Promise<unknown>;
  again?(): Promise<unknown>;
}

/** A way that a message goes, up to the process that dies. */
interface Way {
  readonly who: Partial<StoredSubscription>[];
  readonly answering?: (people: readonly StoredSubscription[]) => Answering;
  readonly lead: (topicName: string) => Promise<Work>;
  /** The subscription, by its place in `who`, that is not reached in the end. */
  readonly unreached?: number;
}

const publishTo = async (topicName: string, text = body) => {
  expect(await plant.call(publish, { path: { uuid: topicName }, body: text })).toMatchObject({ status: 200 });
};
const batchOf = (name: QueueName): Work => ({ run: () => plant.workOnce(name) });
/** The first attempt is made, and the retry is due. */
const toRetry = async (): Promise<void> => {
  await plant.work('fanOut', 'http');
  plant.pass(76_000);
  await plant.work('retry');
};
const firstAttempt: Way['lead'] = async (name) => {
  await publishTo(name);
  await plant.work('fanOut');
  return batchOf('http');
};
const retry: Way['lead'] = async (name) => {
  await publishTo(name);
  await toRetry();
  return batchOf('http');
};

const ways: Record<string, Way> = {
  'a first attempt to three, of whom one fails and one has been failing': {
    who: [{}, {}, { isFailing: true }],
    answering:
      ([, ill]) =>
      (post, tries) =>
        post.uuid === ill?.uuid ? firstFails(post, tries) : { class: 'delivered' },
    lead: firstAttempt,
  },
  'a first attempt with a long body': {
    who: [{}],
    lead: async (name) => {
      await publishTo(name, longBody);
      await plant.work('fanOut');
      return batchOf('http');
    },
  },
  'the first attempt at one that was moved': {
    who: [{ isFailing: true }, {}],
    lead: async (name) => {
      await firstAttempt(name);
      await plant.workOnce('http');
      return batchOf('http');
    },
  },
  'a retry that delivers': { who: [{}], answering: () => firstFails, lead: retry },
  'a retry that fails, with retries left': {
    who: [{}],
    answering: () => (post, tries) => (tries < 2 ? refuses(post, tries) : { class: 'delivered' }),
    lead: retry,
  },
  'the last retry, which fails for good': {
    who: [{ maxRetries: 1 }],
    answering: () => refuses,
    unreached: 0,
    lead: retry,
  },
  'an attempt at a receiver that is gone, beside one that fails': {
    who: [{}, {}],
    answering:
      ([ill]) =>
      (post, tries) =>
        post.uuid === ill?.uuid ? gone(post, tries) : firstFails(post, tries),
    unreached: 0,
    lead: firstAttempt,
  },
  'fan-out to http and e-mail': {
    who: [{}, {}, { protocol: 'email', address: 'a@example.org' }],
    lead: async (name) => {
      await publishTo(name);
      return batchOf('fanOut');
    },
  },
  'fan-out that has to open the ledger itself': {
    who: [{}],
    lead: async (name) => {
      plant.interfere({
        call: ({ command }, go) => (command === 'PutItem' ? Promise.reject(new Error('down')) : go()),
      });
      await publishTo(name);
      plant.interfere({});
      return batchOf('fanOut');
    },
  },
  'the audit of a message that the queue lost': {
    who: [{}, {}],
    lead: async (name) => {
      await publishTo(name);
      await plant.purge();
      plant.pass(11 * 60_000);
      await plant.sweep();
      return batchOf('fanOut');
    },
  },
  'a wait': {
    who: [{ countdownSeconds: 3600 }],
    answering: () => firstFails,
    lead: async (name) => {
      await publishTo(name);
      await plant.work('fanOut', 'http');
      plant.pass(900_000);
      return batchOf('retry');
    },
  },
  'the sweeper, which finds a lost timer and a lost publication': {
    who: [{}],
    answering: () => firstFails,
    lead: async (name) => {
      await publishTo(name);
      await plant.work('fanOut', 'http');
      await publishTo(name);
      await plant.purge();
      plant.pass(20 * 60_000);
      return { run: () => plant.sweep() };
    },
  },
  'a redelivery by an operator, who does it again when it did not end': {
    who: [{ maxRetries: 0 }],
    answering: () => firstFails,
    lead: async (name) => {
      await publishTo(name);
      await plant.work('fanOut', 'http');
      const run = () => redeliver({ since: '2024-03-01T00:00:00Z' });
      return { run, again: run };
    },
  },
};

const told: { name: string; deaths: number; repeats: number }[] = [];
afterAll(() => {
  const sum = (key: 'deaths' | 'repeats') => told.reduce((total, one) => total + one[key], 0);
  const each = told.map(({ name, deaths, repeats }) => `  ${name}: ${deaths} deaths, ${repeats} repeated`);
  const all = `crashes: ${sum('deaths')} deaths, nothing lost, ${sum('repeats')} repeated, each between POST and record`;
  console.info([all, ...each].join('\n'));
});

/** Runs work in a process that may die, until what it sent has arrived. */
async function runMortal({ run, again }: Work, process: Mortal): Promise<void> {
  plant.interfere(process.interference);
  await Promise.race([run(), process.death]);
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  plant.interfere({});
  if (process.isDead()) await again?.();
}

/** What was sent by work that is not written down: that, and nothing else, may be sent again. */
async function unrecorded(from: number) {
  const open = (await plant.rows('deliveries')).filter(({ state }) => state === 'claimed');
  const isOpen = (uuid: string) =>
    open.some(({ taskKey }) => !/^one#/.test(String(taskKey)) || taskKey === `one#${uuid}`);
  return plant.posts.slice(from).filter(({ uuid }) => isOpen(uuid));
}

/** How it all ends: nothing open, nobody's health mistaken, what has failed for good reported. */
async function theEnd(people: readonly StoredSubscription[]) {
  const [rows, stored] = [await plant.rows('deliveries'), await plant.rows('subscriptions')];
  return {
    open: rows.filter(
      (row) => ['waiting', 'claimed'].includes(String(row.state)) || String(row.sweepShard).startsWith('due'),
    ),
    failed: rows.filter(({ state }) => state === 'failed').length,
    reported: new Set(plant.failures.map(({ uuid }) => people.findIndex((one) => one.uuid === uuid))),
    health: people.map(({ uuid }) => {
      const { isActive, pausedReason, isFailing = false } = stored.find((row) => row.uuid === uuid) ?? {};
      return { isActive, pausedReason, isFailing };
    }),
  };
}

/** Goes a way whose process dies, and says how it ended. */
async function go(way: Way, process: Mortal, isPurged: boolean) {
  await plant.reset();
  const topic = await plant.topic();
  const people = await plant.subscribed(topic, ...way.who);
  plant.answer(way.answering?.(people) ?? accepts);
  const work = await way.lead(topic.name);
  const before = plant.posts.length;
  await runMortal(work, process);
  const repeating = process.isDead() ? await unrecorded(before) : [];
  if (isPurged) await plant.purge();
  await plant.live();

  const messages = new Set(plant.posts.map(({ messageId }) => messageId));
  for (const [place, { uuid }] of people.entries()) {
    const accepted = plant.posts
      .filter((post) => post.uuid === uuid && post.isAccepted)
      .map(({ messageId }) => messageId);
    const repeats = repeating.filter((post) => post.uuid === uuid && post.isAccepted).map(({ messageId }) => messageId);
    const wanted = way.unreached === place ? [] : [...messages, ...repeats];
    expect(accepted.toSorted()).toEqual(wanted.toSorted());
  }
  return { repeats: repeating.length, posts: plant.posts.length, end: await theEnd(people) };
}

/** Every place, but one is enough of the sweeper's many alike looks; lost by all queues, before one is after another. */
function placesToDie({ calls }: Mortal, isPurged: boolean) {
  const isAlike = (at: number) => calls[at]?.command === 'Query' && calls[at - 1]?.command === 'Query';
  return calls.flatMap(({ command }, at) => {
    if (isAlike(at)) return [];
    const whens: When[] = isPurged && at > 0 ? ['after'] : ['before', 'after'];
    return whens.map((when) => ({ at, command, when }));
  });
}

describe.each([
  ['shown again by its queue', false],
  ['lost by every queue', true],
])('the work of a process that died, %s:', (shown, isPurged) => {
  it.each(Object.entries(ways))('%s', async (name, way) => {
    const immortal = mortal();
    const undisturbed = await go(way, immortal, false);
    expect(undisturbed.end.open).toEqual([]);
    const count = { name: `${name}, ${shown}`, deaths: 0, repeats: 0 };
    for (const { at, command, when } of placesToDie(immortal, isPurged)) {
      const process = mortal(at, when);
      const { repeats, posts, end } = await go(way, process, isPurged).catch((error: Error) => {
        error.message = `it died ${when} call ${at}, ${command}: ${error.message}`;
        throw error;
      });
      // What only its queue could have reminded us of, once all is delivered, is a subscription's health.
      const wanted = isPurged ? { ...undisturbed.end, health: end.health, reported: end.reported } : undisturbed.end;
      expect([process.isDead(), when, at, command, end]).toEqual([true, when, at, command, wanted]);
      expect(posts).toBeLessThanOrEqual(undisturbed.posts + repeats);
      count.deaths += 1;
      count.repeats += repeats;
    }
    expect(count.deaths).toBeGreaterThan(0);
    told.push(count);
  });
});
