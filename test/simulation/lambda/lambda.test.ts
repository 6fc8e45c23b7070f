import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noon } from '../../harness/builders.ts';
import { chanceOf } from '../clock/chance.ts';
import { install } from '../clock/install.ts';
import { type VirtualClock, virtualClock } from '../clock/virtual-clock.ts';
import { memorySqs } from '../sqs/sqs.ts';
import { feedFrom } from './event-source.ts';
import { currentInstance, lambdaPlatform, type PlatformHooks } from './platform.ts';
import { schedule } from './schedule.ts';

const second = 1000;
let clock: VirtualClock;
let uninstall = () => {};
beforeEach(() => {
  clock = virtualClock(noon);
  uninstall = install(clock, chanceOf(1));
});
afterEach(() => uninstall());

type Handler = (event: SQSEvent) => Promise<unknown>;
const fine = { batchItemFailures: [] };

/** Connects a function with a timeout of 10 s to a queue with a visibility timeout of 30 s. */
function feeding(handler: Handler, given: { batchSize?: number; maxConcurrency?: number } = {}, hooks?: PlatformHooks) {
  const queue = memorySqs(clock).createQueue('queue', { VisibilityTimeout: '30' });
  const facts = { name: 'worker', timeoutMs: 10 * second, handler };
  const source = { queue, facts, batchSize: 10, maxConcurrency: 2, ...given };
  const platform = lambdaPlatform(clock, hooks);
  feedFrom(source, clock, platform);
  return { queue, platform, facts };
}

const bodiesOf = ({ Records }: SQSEvent): string[] => Records.map(({ body }) => body);
const at = (): number => Date.now() - noon;

describe('a function behind a queue', () => {
  it('a function that reads a queue receives parallel batches up to its maximum concurrency', async () => {
    const seen: [number, string[]][] = [];
    const { queue } = feeding(
      async (event) => {
        seen.push([at(), bodiesOf(event)]);
        await sleep(second);
        return fine;
      },
      { batchSize: 2 },
    );
    for (const body of ['a', 'b', 'c', 'd', 'e']) queue.send(body, '', 0);
    queue.send('later', '', 5 * second);
    await clock.run();
    expect(seen).toEqual([
      [0, ['a', 'b']],
      [0, ['c', 'd']],
      [second, ['e']],
      [5 * second, ['later']],
    ]);
    expect(queue.messages()).toEqual([]);
  });

  it('a function that reads a queue receives failed messages again, and receives the whole batch again if it throws', async () => {
    const seen: [number, string[]][] = [];
    const { queue } = feeding(async (event) => {
      seen.push([at(), bodiesOf(event)]);
      if (seen.length === 2) throw new Error('broken');
      const failed = seen.length === 1 ? event.Records.slice(1) : [];
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    for (const body of ['a', 'b']) queue.send(body, '', 0);
    await clock.run();
    expect(seen).toEqual([
      [0, ['a', 'b']],
      [30 * second, ['b']],
      [60 * second, ['b']],
    ]);
  });

  it('a function that reads a queue stops at its timeout, and its messages become visible in the queue again', async () => {
    const did: [number, string][] = [];
    const { queue } = feeding(async () => {
      const times = Number(did.length > 0);
      did.push([at(), 'began']);
      await sleep(times === 0 ? 20 * second : second);
      did.push([at(), 'ended']);
      return fine;
    });
    queue.send('a', '', 0);
    await clock.run();
    expect(did).toEqual([
      [0, 'began'],
      [30 * second, 'began'],
      [31 * second, 'ended'],
    ]);
  });

  it('a function runs in another instance after a crash', async () => {
    const endings: string[] = [];
    const onEnd: PlatformHooks['onEnd'] = (_, ending, instance) => endings.push(`${instance.name} ${ending.is}`);
    let runs = 0;
    const { queue } = feeding(
      async () => {
        await sleep(second);
        runs += 1;
        if (runs === 1) currentInstance()?.stop('crashed');
        await sleep(second);
        return fine;
      },
      {},
      { onEnd },
    );
    queue.send('a', '', 0);
    await clock.run();
    expect(endings).toEqual(['worker/0 crashed', 'worker/1 returned']);
    expect(queue.messages()).toEqual([]);
  });

  it('a function runs in an idle instance if one exists', async () => {
    const names: (string | undefined)[] = [];
    const { platform, facts } = feeding(async () => {
      names.push(currentInstance()?.name);
      await sleep(second);
      return fine;
    });
    await Promise.all([platform.invoke(facts, { Records: [] }), platform.invoke(facts, { Records: [] }), clock.run()]);
    await Promise.all([platform.invoke(facts, { Records: [] }), clock.run()]);
    expect(names).toEqual(['worker/0', 'worker/1', 'worker/1']);
  });

  it('a function whose instance ends after the run loses the work that it did not wait for', async () => {
    let isDone = false;
    const handler = async () => void sleep(second).then(() => (isDone = true));
    const platform = lambdaPlatform(clock, { retires: () => true });
    await Promise.all([platform.invoke({ name: 'worker', timeoutMs: 10 * second, handler }, {}), clock.run()]);
    expect(isDone).toBe(false);
  });

  it("a function sees the time of its instance's clock and its remaining run time", async () => {
    const facts = {
      name: 'worker',
      timeoutMs: 10 * second,
      handler: async (_: unknown, context: { getRemainingTimeInMillis(): number }) => {
        await sleep(3 * second);
        return [at(), context.getRemainingTimeInMillis()];
      },
    };
    const platform = lambdaPlatform(clock, { skewMs: () => -second });
    const [ending] = await Promise.all([platform.invoke(facts, {}), clock.run()]);
    expect(ending).toEqual({ is: 'returned', result: [2 * second, 7 * second] });
  });
});

describe('a schedule', () => {
  it('a schedule runs a function at the start of each minute if work is due', async () => {
    const times: number[] = [];
    await clock.run({ until: noon + 90 * second });
    schedule(
      clock,
      60 * second,
      () => times.push(at() / second),
      () => at() !== 180 * second,
    );
    await clock.run({ until: noon + 310 * second });
    expect(times).toEqual([120, 240, 300]);
  });
});
