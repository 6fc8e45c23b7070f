import { expect } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { StoredSubscription } from '../../shared/model/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import {
  type Answering,
  accepts,
  hiding,
  type Interference,
  type Plant,
  type Post,
  refuses,
} from '../harness/delivery-harness.ts';

const body = '{"source":"CR"}';
const longBody = JSON.stringify({ source: 'x'.repeat(9000) });
const gone: Answering = () => ({ class: 'http', status: 410 });
const firstFails: Answering = (post, tries) => (tries === 0 ? refuses(post, tries) : { class: 'delivered' });

/** Work that something happens to, and what whoever waits for its answer does when none comes. */
interface Work {
  run(): Promise<unknown>;
  again?(): Promise<unknown>;
}

/** A way that a message goes, up to the work that something happens to. */
export interface Way {
  readonly who: Partial<StoredSubscription>[];
  readonly answering?: (people: readonly StoredSubscription[]) => Answering;
  readonly lead: (topic: StoredTopic, people: readonly StoredSubscription[]) => Promise<Work>;
  /** It is the request to confirm that is on its way, to one who subscribes. */
  readonly isConfirmation?: true;
  /** The subscription, by its place in `who`, that is not reached in the end. */
  readonly unreached?: number;
}

/** Something that happens once, or never, to what a process does. */
export interface Fault {
  readonly interference: Interference;
  readonly hasStruck: () => boolean;
  /** Resolves when the process has died of it. */
  readonly death?: Promise<void>;
}

/** The ways of messages through a plant, each up to one piece of work, and what must have come of it in the end. */
export function waysThrough(plant: Plant) {
  const publishTo = async (topicName: string, text = body) => {
    expect(await plant.call(publish, { path: { uuid: topicName }, body: text })).toMatchObject({ status: 200 });
  };
  const subscribeTo = async (topicName: string) => {
    const query = `topic=${topicName}&address=http://receiver.example/confirms&policy=60,1`;
    expect(await plant.call(subscribe, { query })).toMatchObject({ status: 200 });
  };
  const batchOf = (name: QueueName): Work => ({ run: () => plant.workOnce(name) });
  /** The first attempt is made, and the retry is due. */
  const toRetry = async (): Promise<void> => {
    await plant.work('fanOut', 'http');
    plant.pass(76_000);
    await plant.work('retry');
  };
  const firstAttempt: Way['lead'] = async ({ name }) => {
    await publishTo(name);
    await plant.work('fanOut');
    return batchOf('http');
  };
  const retry: Way['lead'] = async ({ name }) => {
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
      lead: async ({ name }) => {
        await publishTo(name, longBody);
        await plant.work('fanOut');
        return batchOf('http');
      },
    },
    'the first attempt at one that was moved': {
      who: [{ isFailing: true }, {}],
      lead: async ({ name }) => {
        await firstAttempt({ name } as StoredTopic, []);
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
      lead: async ({ name }) => {
        await publishTo(name);
        return batchOf('fanOut');
      },
    },
    'fan-out that has to open the ledger itself': {
      who: [{}],
      lead: async ({ name }) => {
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
      lead: async ({ name }) => {
        await publishTo(name);
        await plant.purge();
        plant.pass(11 * 60_000);
        await plant.sweep();
        return batchOf('fanOut');
      },
    },
    'a task in which the audit has found one whom fan-out missed': {
      who: [{}, {}],
      lead: async ({ name }, [missed]) => {
        plant.interfere(hiding(missed));
        await publishTo(name);
        await plant.work();
        plant.interfere({});
        plant.pass(11 * 60_000);
        await plant.sweep();
        await plant.work('fanOut');
        return batchOf('http');
      },
    },
    'a wait': {
      who: [{ countdownSeconds: 3600 }],
      answering: () => firstFails,
      lead: async ({ name }) => {
        await publishTo(name);
        await plant.work('fanOut', 'http');
        plant.pass(900_000);
        return batchOf('retry');
      },
    },
    'the sweeper, which finds a lost timer and a lost publication': {
      who: [{}],
      answering: () => firstFails,
      lead: async ({ name }) => {
        await publishTo(name);
        await plant.work('fanOut', 'http');
        await publishTo(name);
        await plant.purge();
        plant.pass(20 * 60_000);
        return { run: () => plant.sweep() };
      },
    },
    'a retry to one who was paused meanwhile': {
      who: [{}],
      answering: () => refuses,
      unreached: 0,
      lead: async ({ name }, [person]) => {
        await publishTo(name);
        await toRetry();
        await plant.store().noteHealth(person as StoredSubscription, { pause: 'bounce' });
        return batchOf('http');
      },
    },
    'a confirmation': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => {
        await subscribeTo(name);
        return batchOf('http');
      },
    },
    'a confirmation that fails for good': {
      who: [],
      isConfirmation: true,
      answering: () => refuses,
      unreached: 0,
      lead: async ({ name }) => {
        await subscribeTo(name);
        await plant.work('http');
        plant.pass(76_000);
        await plant.work('retry');
        return batchOf('http');
      },
    },
    'a subscriber who subscribes, and does it again when there is no answer': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => ({
        run: () => subscribeTo(name),
        // Before that a second request is taken for impatience: the confirmation may be on its way.
        again: () => {
          plant.pass(6 * 60_000);
          return subscribeTo(name);
        },
      }),
    },
    'the sweeper, which finds a lost confirmation': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => {
        await subscribeTo(name);
        await plant.purge();
        plant.pass(10 * 60_000);
        return { run: () => plant.sweep() };
      },
    },
    'a redelivery by an operator, who does it again when it did not end': {
      who: [{ maxRetries: 0 }],
      answering: () => firstFails,
      lead: async ({ name }) => {
        await publishTo(name);
        await plant.work('fanOut', 'http');
        const run = () => redeliver({ since: '2024-03-01T00:00:00Z' });
        return { run, again: run };
      },
    },
  };

  /** Runs work that a fault may strike, until what it sent has arrived. */
  async function runUnder({ interference, death, hasStruck }: Fault, { run, again }: Work): Promise<void> {
    plant.interfere(interference);
    // What has thrown is tried again by whoever called it: a queue, the clock, an operator, a subscriber.
    const running = run().catch(() => {});
    await (death === undefined ? running : Promise.race([running, death]));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    plant.interfere({});
    if (hasStruck()) await again?.();
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
        const row = stored.find((one) => one.uuid === uuid) ?? {};
        const { isActive, pausedReason, isFailing = false, isAsked, hasConfirmationFailed } = row;
        return { isActive, pausedReason, isFailing, isAsked, hasConfirmationFailed };
      }),
    };
  }

  type Person = Pick<StoredSubscription, 'uuid'>;

  /** Each message reached each person once, and once more where it was sent and not written down. */
  function reachedOnce(way: Way, people: readonly Person[], repeating: readonly Post[]): void {
    const messages = new Set(plant.posts.map(({ messageId }) => messageId));
    const idsOf = (posts: readonly Post[], { uuid }: Person) =>
      posts.filter((post) => post.uuid === uuid && post.isAccepted).map(({ messageId }) => messageId);
    for (const [place, person] of people.entries()) {
      const wanted = way.unreached === place ? [] : [...messages, ...idsOf(repeating, person)];
      expect(idsOf(plant.posts, person).toSorted()).toEqual(wanted.toSorted());
    }
  }

  /**
   * The one who subscribed was asked, and can confirm by the last token. Asked more than once only where it was not
   * written down, or, because a lost token is nowhere and a new one takes its place, once more.
   */
  async function canConfirm(repeating: readonly Post[]): Promise<void> {
    const asked = plant.posts.filter(({ isAccepted }) => isAccepted);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(2 + repeating.length);
    expect(await plant.call(confirm, { query: `token=${asked.at(-1)?.token}` })).toMatchObject({ status: 200 });
  }

  /** Goes a way on which a fault strikes; answers how it ended, and how much was sent again. */
  async function go(way: Way, fault: Fault, isPurged: boolean) {
    await plant.reset();
    const topic = await plant.topic();
    const subscribed = await plant.subscribed(topic, ...way.who);
    plant.answer(way.answering?.(subscribed) ?? accepts);
    const work = await way.lead(topic, subscribed);
    const before = plant.posts.length;
    await runUnder(fault, work);
    const repeating = fault.hasStruck() ? await unrecorded(before) : [];
    if (isPurged) await plant.purge();
    await plant.live();
    const people = (await plant.rows('subscriptions')) as unknown as StoredSubscription[];
    const known = way.isConfirmation ? people : subscribed;
    const end = await theEnd(known);
    if (!way.isConfirmation) reachedOnce(way, known, repeating);
    else if (way.unreached === undefined) await canConfirm(repeating);
    return { repeats: repeating.length, posts: plant.posts.length, end };
  }

  return { ways, go };
}
