import { expect } from 'vitest';
import { handler as confirm } from '../../../functions/subscriptions/confirm-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, type Post } from '../../harness/fake-sender.ts';
import { attempts } from './attempts.ts';
import { background } from './background.ts';
import { callers } from './callers.ts';
import type { Fault, Scenario, Scenarios, Work } from './scenario.ts';

/** Returns all scenarios and a function that runs a scenario and checks its outcome. */
export function scenariosOf(harness: DeliveryHarness) {
  const scenarios: Scenarios = { ...attempts(harness), ...background(harness), ...callers(harness) };

  /** Runs the work while a fault occurs. If the work fails, the caller repeats it. */
  async function runUnder({ interference, death }: Fault, { run, repeat }: Work): Promise<void> {
    harness.interfere(interference);
    // The work may fail, because the caller (a queue, a schedule, an operator or a subscriber) repeats it.
    const hasEnded = run().then(
      () => true,
      () => false,
    );
    const hasResponse = await (death === undefined ? hasEnded : Promise.race([hasEnded, death.then(() => false)]));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    harness.interfere({});
    if (!hasResponse) await repeat?.();
  }

  /** Returns the POST requests that were sent but not recorded. Only unrecorded requests may be sent again. */
  async function unrecordedPosts(from: number) {
    const open = (await harness.rows('deliveries')).filter(({ state }) => state === 'leased');
    const isOpen = (uuid: string) =>
      open.some(({ taskKey }) => !/^one#/.test(String(taskKey)) || taskKey === `one#${uuid}`);
    return harness.posts.slice(from).filter(({ uuid }) => isOpen(uuid));
  }

  /** Returns the final state: open rows, failed rows, reported failures and the health of each subscription. */
  async function finalState(people: readonly StoredSubscription[]) {
    const [rows, stored] = [await harness.rows('deliveries'), await harness.rows('subscriptions')];
    return {
      open: rows.filter(
        (row) => ['waiting', 'leased'].includes(String(row.state)) || String(row.sweepShard).startsWith('due'),
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

  type Receiver = Pick<StoredSubscription, 'uuid'>;

  /** Checks that each message was delivered once to each subscription, plus once for each unrecorded POST request. */
  function expectOneDelivery(scenario: Scenario, people: readonly Receiver[], unrecorded: readonly Post[]): void {
    const messages = new Set(harness.posts.map(({ messageId }) => messageId));
    const taskIdOf = (posts: readonly Post[], { uuid }: Receiver) =>
      posts.filter((post) => post.uuid === uuid && post.isAccepted).map(({ messageId }) => messageId);
    for (const [place, person] of people.entries()) {
      const wanted = scenario.unreached === place ? [] : [...messages, ...taskIdOf(unrecorded, person)];
      expect(taskIdOf(harness.posts, person).toSorted()).toEqual(wanted.toSorted());
    }
  }

  /**
   * Checks that the last token confirms the subscription. The service may replace a lost token once, and may send a
   * token again if a POST request was not recorded.
   */
  async function expectConfirmation(unrecorded: readonly Post[]): Promise<void> {
    const requests = harness.posts.filter(({ isAccepted }) => isAccepted);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(2 + unrecorded.length);
    expect(await harness.call(confirm, { query: `token=${requests.at(-1)?.token}` })).toMatchObject({ status: 200 });
  }

  /**
   * Runs a scenario in which a fault occurs. Returns the final state of the scenario and the number of repeated POST
   * requests.
   */
  async function play(scenario: Scenario, fault: Fault, isPurged: boolean) {
    await harness.reset();
    const topic = await harness.newTopic();
    const subscribed = await harness.subscribed(topic, ...scenario.subscriptions);
    harness.answer(scenario.answering?.(subscribed) ?? accepts);
    const work = await scenario.prepare(topic, subscribed);
    const before = harness.posts.length;
    await runUnder(fault, work);
    const unrecorded = fault.hasStruck() ? await unrecordedPosts(before) : [];
    if (isPurged) await harness.purge();
    await harness.live();
    const people = (await harness.rows('subscriptions')) as unknown as StoredSubscription[];
    const receivers = scenario.isConfirmation ? people : subscribed;
    const end = await finalState(receivers);
    if (!scenario.isConfirmation) expectOneDelivery(scenario, receivers, unrecorded);
    else if (scenario.unreached === undefined) await expectConfirmation(unrecorded);
    return { repeats: unrecorded.length, posts: harness.posts.length, end };
  }

  return { scenarios, play };
}
