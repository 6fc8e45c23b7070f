/*
 * Promise: messages are delayed but not lost if DynamoDB or SQS throttles requests, times out, or loses a response. A
 * call that the SDK retries is neither lost nor duplicated. If the SDK stops retrying, the service repeats the work. A
 * receiver gets a message twice only if the POST request could not be recorded.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { everyNth } from '../harness/every-nth.ts';
import type { Call, Interference } from '../harness/interference.ts';
import { scenariosOf } from './scenarios/play-scenarios.ts';
import type { Fault } from './scenarios/scenario.ts';

const harness = useDeliveryHarness();
const { scenarios, play } = scenariosOf(harness);
// The SDK waits for a random fraction of an interval before each retry. This mock removes the wait.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const throttled = () => Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
const timedOut = () => Object.assign(new Error('no response'), { name: 'TimeoutError' });

/**
 * Returns the kind of a call: its command, its table or queue, and the attributes that it writes. Each kind of call is
 * tested once.
 */
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

type Disturb = <Result>(go: () => Promise<Result>) => Promise<Result>;
const failInstead =
  (error: () => Error): Disturb =>
  () =>
    Promise.reject(error());
const failAfterwards =
  (error: () => Error): Disturb =>
  async (go) => {
    await go();
    throw error();
  };

/** Makes the first call of a kind fail: either a single network request, which the SDK retries, or the whole call. */
function faultAt(kind: string, where: 'wire' | 'call', disturb: Disturb): Fault {
  let hasStruck = false;
  const interference: Interference = {
    [where]: <Result>(call: Call, go: () => Promise<Result>): Promise<Result> => {
      if (hasStruck || kindOf(call) !== kind) return go();
      hasStruck = true;
      return disturb(go);
    },
  };
  return { interference, hasStruck: () => hasStruck };
}

/** Records the kind of every AWS call without causing a failure. */
function recordCalls(): Fault & { readonly kinds: Set<string> } {
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
      `throttling: ${count} faults in ${kinds.length} kinds of calls, nothing lost, ${repeated} repeated`,
      ...kinds,
    ].join('\n'),
  );
});

const disturbances: readonly [string, 'wire' | 'call', Disturb][] = [
  ['throttled once', 'wire', failInstead(throttled)],
  ['the request was accepted, but the response was lost', 'wire', failAfterwards(timedOut)],
  ['throttled until the SDK gave up', 'call', failInstead(throttled)],
  ['the request was accepted, but the SDK gave up before the response arrived', 'call', failAfterwards(timedOut)],
];

describe('after a failing AWS call,', () => {
  it.each(Object.entries(scenarios))('%s completes', async (_name, scenario) => {
    const recording = recordCalls();
    const undisturbed = await play(scenario, recording, false);
    for (const kind of recording.kinds) {
      if (tried.has(kind)) continue;
      for (const [what, where, disturb] of everyNth(disturbances, 4, tried.size)) {
        const fault = faultAt(kind, where, disturb);
        const { repeats, posts, end } = await play(scenario, fault, false).catch((error: Error) => {
          error.message = `${kind}, ${what}: ${error.message}`;
          throw error;
        });
        expect([kind, what, fault.hasStruck(), end]).toEqual([kind, what, true, undisturbed.end]);
        // Retries by the SDK do not affect receivers.
        if (where === 'wire') expect([kind, what, repeats, posts]).toEqual([kind, what, 0, undisturbed.posts]);
        tried.set(kind, (tried.get(kind) ?? 0) + 1);
        repeated += repeats;
      }
    }
  });

  it('every kind of write is tested', () => {
    const writes = [...tried.keys()].filter((kind) => /^(?:Update|Put|Transact|SendMessage)/.test(kind));
    const countOf = (pattern: RegExp) => writes.filter((kind) => pattern.test(kind)).length;
    expect(countOf(/^PutItem deliveries/)).toBeGreaterThanOrEqual(1);
    expect(countOf(/^UpdateItem deliveries .*leased$/)).toBeGreaterThanOrEqual(2);
    expect(countOf(/^TransactWriteItems deliveries .*recorded$/)).toBe(1);
    expect(countOf(/^UpdateItem deliveries .*(?:delivered|waiting|failed|recorded)$/)).toBeGreaterThanOrEqual(4);
    expect(countOf(/#shardBits/)).toBeGreaterThanOrEqual(1);
    expect(countOf(/subscriptions #isFailing/)).toBeGreaterThanOrEqual(1);
    expect(countOf(/#sweepAt/)).toBeGreaterThanOrEqual(2);
    expect(countOf(/^SendMessage/)).toBeGreaterThanOrEqual(4);
  });
});

it('a worker reads subscriptions again if DynamoDB returns them as unprocessed keys', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  let rounds = 0;
  harness.interfere({
    call: async (call, run) => {
      if (call.command !== 'BatchGetItem' || rounds >= 2) return run();
      rounds += 1;
      // The first simulated response contains no subscription, and the second contains one.
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
  // The worker repeats the read immediately and does not wait for reconciliation.
  await harness.work();
  expect(rounds).toBe(2);
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
});
