/*
 * Promise: DynamoDB and SQS that throttle, time out, or take a write and lose its answer cost time and nothing else. What
 * the SDK tries again is neither lost nor doubled; where it gives up, the work is done again, and a receiver sees a
 * message twice only when it was the record after its POST that could not be written.
 */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import type { Call, Interference } from '../harness/interference.ts';
import { scenariosOf } from './scenarios/play-scenarios.ts';
import type { Fault } from './scenarios/scenario.ts';

const harness = useDeliveryHarness();
const { scenarios, play } = scenariosOf(harness);
// The SDK pauses for a random part of a span before it tries again: here for no part of it.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const throttled = () => Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
const timedOut = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' });
const cancelled = (Code: string) => () =>
  new TransactionCanceledException({ message: Code, $metadata: {}, CancellationReasons: [{ Code }, { Code: 'None' }] });

/** What a call does, so that alike calls of different scenarios are tried once: its command, its table, what it writes. */
function kindOf({ command, input }: Call): string {
  const { TransactItems = [], ...rest } = input as { TransactItems?: { Update?: object }[] };
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = {
    ...rest,
    ...TransactItems[0]?.Update,
  } as { ExpressionAttributeNames?: object; ExpressionAttributeValues?: Record<string, { S?: string }> };
  const where =
    JSON.stringify(input).match(/"(topics|subscriptions|limits|deliveries)-/)?.[1] ??
    String(input.QueueUrl).split('/').at(-1);
  return [command, where, ...Object.keys(names), values[':set_state']?.S ?? ''].join(' ').trim();
}

type Troubling = <Result>(go: () => Promise<Result>) => Promise<Result>;
const insteadOf =
  (error: () => Error): Troubling =>
  () =>
    Promise.reject(error());
const afterAnyway =
  (error: () => Error): Troubling =>
  async (go) => {
    await go();
    throw error();
  };

/** Troubles the first call of a kind: on the wire once, where the SDK tries again, or for good. */
function trouble(kind: string, where: 'wire' | 'call', troubling: Troubling): Fault {
  let hasStruck = false;
  const interference: Interference = {
    [where]: <Result>(call: Call, go: () => Promise<Result>): Promise<Result> => {
      if (hasStruck || kindOf(call) !== kind) return go();
      hasStruck = true;
      return troubling(go);
    },
  };
  return { interference, hasStruck: () => hasStruck };
}

/** Sees every call pass. */
function spectator(): Fault & { readonly kinds: Set<string> } {
  const kinds = new Set<string>();
  const call: Interference['call'] = (made, go) => {
    if (made.command !== 'POST') kinds.add(kindOf(made));
    return go();
  };
  return { kinds, interference: { call }, hasStruck: () => false };
}

const tried = new Map<string, number>();
let repeated = 0;
afterAll(() => {
  const kinds = [...tried.keys()].toSorted().map((kind) => `  ${kind}`);
  const count = [...tried.values()].reduce((sum, one) => sum + one, 0);
  console.info(
    [
      `throttling: ${count} faults at ${kinds.length} kinds of calls, nothing lost, ${repeated} repeated`,
      ...kinds,
    ].join('\n'),
  );
});

const troubles: readonly [string, 'wire' | 'call', Troubling][] = [
  ['throttled once', 'wire', insteadOf(throttled)],
  ['taken, but its answer was lost', 'wire', afterAnyway(timedOut)],
  ['throttled until the SDK gave up', 'call', insteadOf(throttled)],
  ['taken, but no answer came until the SDK gave up', 'call', afterAnyway(timedOut)],
];

describe('a call of AWS', () => {
  it.each(Object.entries(scenarios))('in %s', async (_name, scenario) => {
    const spectating = spectator();
    const undisturbed = await play(scenario, spectating, false);
    for (const kind of spectating.kinds) {
      if (tried.has(kind)) continue;
      for (const [what, where, troubling] of troubles) {
        const fault = trouble(kind, where, troubling);
        const { repeats, posts, end } = await play(scenario, fault, false).catch((error: Error) => {
          error.message = `${kind}, ${what}: ${error.message}`;
          throw error;
        });
        expect([kind, what, fault.hasStruck(), end]).toEqual([kind, what, true, undisturbed.end]);
        // What the SDK tries again is seen by nobody.
        if (where === 'wire') expect([kind, what, repeats, posts]).toEqual([kind, what, 0, undisturbed.posts]);
        tried.set(kind, (tried.get(kind) ?? 0) + 1);
        repeated += repeats;
      }
    }
  });

  it('is tried at every kind of write that the engine has', () => {
    const writes = [...tried.keys()].filter((kind) => /^(?:Update|Put|Transact|SendMessage)/.test(kind));
    const named = (pattern: RegExp) => writes.filter((kind) => pattern.test(kind)).length;
    expect(named(/^PutItem deliveries/)).toBeGreaterThanOrEqual(1);
    expect(named(/^UpdateItem deliveries .*claimed$/)).toBeGreaterThanOrEqual(2);
    expect(named(/^TransactWriteItems deliveries .*recorded$/)).toBe(1);
    expect(named(/^UpdateItem deliveries .*(?:delivered|waiting|failed|recorded)$/)).toBeGreaterThanOrEqual(4);
    expect(named(/#bits/)).toBeGreaterThanOrEqual(1);
    expect(named(/subscriptions #isFailing/)).toBeGreaterThanOrEqual(1);
    expect(named(/#sweepAt/)).toBeGreaterThanOrEqual(2);
    expect(named(/^SendMessage/)).toBeGreaterThanOrEqual(4);
  });
});

describe('DynamoDB under load', () => {
  it.each([
    ['another write holds the row', 'TransactionConflict'],
    ['it is throttled inside the transaction', 'ThrottlingError'],
    ['the table has no throughput left', 'ProvisionedThroughputExceeded'],
  ])('records what was sent even when %s', async (_what, code) => {
    const [scenario] = Object.values(scenarios);
    if (scenario === undefined) throw new Error('there is no scenario');
    const whole = await play(scenario, spectator(), false);
    let refusals = 3;
    const wire: Interference['wire'] = (call, run) => {
      if (call.command !== 'TransactWriteItems' || refusals === 0) return run();
      refusals -= 1;
      return Promise.reject(cancelled(code)());
    };
    const { repeats, posts, end } = await play(scenario, { interference: { wire }, hasStruck: () => true }, false);
    expect([refusals, repeats, posts, end]).toEqual([0, 0, whole.posts, whole.end]);
  });

  it('asks again for the subscriptions that a batch left unread', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {}, {});
    let rounds = 0;
    harness.interfere({
      call: async (call, run) => {
        if (call.command !== 'BatchGetItem' || rounds >= 2) return run();
        rounds += 1;
        // The first time nothing was read, the second time half.
        const [[table = '', { Keys = [] } = {}] = []] = Object.entries(
          call.input.RequestItems as Record<string, { Keys: object[] }>,
        );
        if (rounds === 1)
          return { output: { UnprocessedKeys: { [table]: { Keys } } } } as Awaited<ReturnType<typeof run>>;
        Object.assign(call.input, { RequestItems: { [table]: { Keys: Keys.slice(0, 1), ConsistentRead: true } } });
        const read = (await run()) as { output: object };
        const UnprocessedKeys = { [table]: { Keys: Keys.slice(1) } };
        return { ...read, output: { ...read.output, UnprocessedKeys } } as Awaited<ReturnType<typeof run>>;
      },
    });
    const messageId = await harness.publish(topic.name);
    // At once, not by the audit.
    await harness.work();
    expect(rounds).toBe(2);
    expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  });
});
