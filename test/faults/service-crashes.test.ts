/*
 * Promise: any process of the service may crash at any moment without the loss of a message. A receiver gets a message
 * a second time only if the process crashes after sending the POST request but before recording it. A crash between
 * sending and recording causes one repeated delivery with the same message-id. The test crashes each function at every
 * call to DynamoDB, SQS or the channel, after the call takes effect but before the response arrives. The test also
 * crashes each function before its first call and before calls that run in parallel. Each crash is tested twice: with
 * queues that deliver the work again, and with queues that have lost all messages.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { everyNth } from '../harness/every-nth.ts';
import { createMortalProcess, type Mortal, type When } from '../harness/mortal-process.ts';
import { scenariosOf } from './scenarios/play-scenarios.ts';

const { scenarios, play } = scenariosOf(useDeliveryHarness());

const results: { name: string; crashes: number; repeats: number }[] = [];
afterAll(() => {
  const sum = (key: 'crashes' | 'repeats') => results.reduce((total, one) => total + one[key], 0);
  const each = results.map(({ name, crashes, repeats }) => `  ${name}: ${crashes} crashes, ${repeats} repeated`);
  const all = `crashes: ${sum('crashes')} crashes, nothing lost, ${sum('repeats')} repeated, each between POST and record`;
  console.info([all, ...each].join('\n'));
});

/**
 * Returns the calls at which the test crashes a function: all calls except repeated queries. A crash before a call
 * usually has the same effect as a crash after the preceding call. The test therefore crashes before a call only if the
 * call is the first or runs in parallel with others.
 */
function placesToCrash({ calls }: Mortal) {
  const isRepeatedQuery = (at: number) => calls[at]?.command === 'Query' && calls[at - 1]?.command === 'Query';
  return calls.flatMap(({ command, isParallel }, at) => {
    if (isRepeatedQuery(at)) return [];
    const whens: When[] = at > 0 && !isParallel ? ['after'] : ['before', 'after'];
    return whens.map((when) => ({ at, command, when }));
  });
}

const names = Object.keys(scenarios);

describe.each([
  ['the queue delivers the work again', false],
  ['every queue loses its content', true],
])('after a crash, when %s,', (shown, isPurged) => {
  it.each(everyNth(Object.entries(scenarios), 2, Number(isPurged)))('%s completes', async (name, scenario) => {
    const undying = createMortalProcess();
    const undisturbed = await play(scenario, undying, false);
    expect(undisturbed.end.open).toEqual([]);
    const count = { name: `${name}, ${shown}`, crashes: 0, repeats: 0 };
    for (const { at, command, when } of everyNth(placesToCrash(undying), 6, names.indexOf(name))) {
      const process = createMortalProcess(at, when);
      const { repeats, posts, end } = await play(scenario, process, isPurged).catch((error: Error) => {
        error.message = `crash ${when} call ${at}, ${command}: ${error.message}`;
        throw error;
      });
      // Once a delivery is recorded, only the queue contains the health update, so the update may be lost with the
      // queue.
      const wanted = isPurged ? { ...undisturbed.end, health: end.health, reported: end.reported } : undisturbed.end;
      expect([process.hasStruck(), when, at, command, end]).toEqual([true, when, at, command, wanted]);
      if (!scenario.isConfirmation) expect(posts).toBeLessThanOrEqual(undisturbed.posts + repeats);
      count.crashes += 1;
      count.repeats += repeats;
    }
    expect(count.crashes).toBeGreaterThan(0);
    results.push(count);
  });
});
