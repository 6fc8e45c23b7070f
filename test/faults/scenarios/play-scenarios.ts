import { expect } from 'vitest';
import { handler as confirm } from '../../../functions/subscriptions/confirm-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, type Post } from '../../harness/fake-sender.ts';
import { attempts } from './attempts.ts';
import { background } from './background.ts';
import { callers } from './callers.ts';
import type { Fault, Scenario, Scenarios, Work } from './scenario.ts';

/** The ways that messages go, each up to one piece of work, and what must have come of it in the end. */
export function scenariosOf(harness: DeliveryHarness) {
  const scenarios: Scenarios = { ...attempts(harness), ...background(harness), ...callers(harness) };

  /** Runs work that a fault may strike, until what it sent has arrived. */
  async function runUnder({ interference, death }: Fault, { run, again }: Work): Promise<void> {
    harness.interfere(interference);
    // What has thrown is tried again by whoever called it: a queue, the clock, an operator, a subscriber.
    const answered = run().then(
      () => true,
      () => false,
    );
    const isAnswered = await (death === undefined ? answered : Promise.race([answered, death.then(() => false)]));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    harness.interfere({});
    if (!isAnswered) await again?.();
  }

  /** What was sent by work that is not written down: that, and nothing else, may be sent again. */
  async function unrecorded(from: number) {
    const open = (await harness.rows('deliveries')).filter(({ state }) => state === 'claimed');
    const isOpen = (uuid: string) =>
      open.some(({ taskKey }) => !/^one#/.test(String(taskKey)) || taskKey === `one#${uuid}`);
    return harness.posts.slice(from).filter(({ uuid }) => isOpen(uuid));
  }

  /** How it all ends: nothing open, nobody's health mistaken, what has failed for good reported. */
  async function theEnd(people: readonly StoredSubscription[]) {
    const [rows, stored] = [await harness.rows('deliveries'), await harness.rows('subscriptions')];
    return {
      open: rows.filter(
        (row) => ['waiting', 'claimed'].includes(String(row.state)) || String(row.sweepShard).startsWith('due'),
      ),
      failed: rows.filter(({ state }) => state === 'failed').length,
      reported: new Set(harness.failures.map(({ uuid }) => people.findIndex((one) => one.uuid === uuid))),
      health: people.map(({ uuid }) => {
        const row = stored.find((one) => one.uuid === uuid) ?? {};
        const { isActive, pausedReason, isFailing = false } = row;
        const failed = JSON.stringify(row).split('hasFailed').length - 1;
        return { isActive, pausedReason, isFailing, failed };
      }),
    };
  }

  type Person = Pick<StoredSubscription, 'uuid'>;

  /** Each message reached each person once, and once more where it was sent and not written down. */
  function reachedOnce(scenario: Scenario, people: readonly Person[], repeating: readonly Post[]): void {
    const messages = new Set(harness.posts.map(({ messageId }) => messageId));
    const idsOf = (posts: readonly Post[], { uuid }: Person) =>
      posts.filter((post) => post.uuid === uuid && post.isAccepted).map(({ messageId }) => messageId);
    for (const [place, person] of people.entries()) {
      const wanted = scenario.unreached === place ? [] : [...messages, ...idsOf(repeating, person)];
      expect(idsOf(harness.posts, person).toSorted()).toEqual(wanted.toSorted());
    }
  }

  /**
   * The one who subscribed was asked, and can confirm by the last token. Asked more than once only where it was not
   * written down, or, because a lost token is nowhere and a new one takes its place, once more.
   */
  async function canConfirm(repeating: readonly Post[]): Promise<void> {
    const asked = harness.posts.filter(({ isAccepted }) => isAccepted);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(2 + repeating.length);
    expect(await harness.call(confirm, { query: `token=${asked.at(-1)?.token}` })).toMatchObject({ status: 200 });
  }

  /** Plays a scenario in which a fault strikes; answers how it ended, and how much was sent again. */
  async function play(scenario: Scenario, fault: Fault, isPurged: boolean) {
    await harness.reset();
    const topic = await harness.newTopic();
    const subscribed = await harness.subscribed(topic, ...scenario.who);
    harness.answer(scenario.answering?.(subscribed) ?? accepts);
    const work = await scenario.lead(topic, subscribed);
    const before = harness.posts.length;
    await runUnder(fault, work);
    const repeating = fault.hasStruck() ? await unrecorded(before) : [];
    if (isPurged) await harness.purge();
    await harness.live();
    const people = (await harness.rows('subscriptions')) as unknown as StoredSubscription[];
    const known = scenario.isConfirmation ? people : subscribed;
    const end = await theEnd(known);
    if (!scenario.isConfirmation) reachedOnce(scenario, known, repeating);
    else if (scenario.unreached === undefined) await canConfirm(repeating);
    return { repeats: repeating.length, posts: harness.posts.length, end };
  }

  return { scenarios, play };
}
