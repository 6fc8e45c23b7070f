/*
 * Promise: a process of ours may die at any moment and nothing is lost; a receiver sees a message again only when the
 * process died between the POST and its record, once for each death, with the same message-id.
 *
 * Every call that a function makes (DynamoDB, SQS, the channel) is a place to die: before the call, and after it took
 * effect but before its answer was seen. Each place is tried, once with queues that show the work again and once with
 * queues that have lost everything.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Mortal, mortal, type When } from '../harness/mortal-process.ts';
import { scenariosOf } from './scenarios/play-scenarios.ts';

const { scenarios, play } = scenariosOf(useDeliveryHarness());

const told: { name: string; deaths: number; repeats: number }[] = [];
afterAll(() => {
  const sum = (key: 'deaths' | 'repeats') => told.reduce((total, one) => total + one[key], 0);
  const each = told.map(({ name, deaths, repeats }) => `  ${name}: ${deaths} deaths, ${repeats} repeated`);
  const all = `crashes: ${sum('deaths')} deaths, nothing lost, ${sum('repeats')} repeated, each between POST and record`;
  console.info([all, ...each].join('\n'));
});

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
  it.each(Object.entries(scenarios))('%s', async (name, scenario) => {
    const immortal = mortal();
    const undisturbed = await play(scenario, immortal, false);
    expect(undisturbed.end.open).toEqual([]);
    const count = { name: `${name}, ${shown}`, deaths: 0, repeats: 0 };
    for (const { at, command, when } of placesToDie(immortal, isPurged)) {
      const process = mortal(at, when);
      const { repeats, posts, end } = await play(scenario, process, isPurged).catch((error: Error) => {
        error.message = `it died ${when} call ${at}, ${command}: ${error.message}`;
        throw error;
      });
      // What only its queue could have reminded us of, once all is delivered, is a subscription's health.
      const wanted = isPurged ? { ...undisturbed.end, health: end.health, reported: end.reported } : undisturbed.end;
      expect([process.hasStruck(), when, at, command, end]).toEqual([true, when, at, command, wanted]);
      if (!scenario.isConfirmation) expect(posts).toBeLessThanOrEqual(undisturbed.posts + repeats);
      count.deaths += 1;
      count.repeats += repeats;
    }
    expect(count.deaths).toBeGreaterThan(0);
    told.push(count);
  });
});
