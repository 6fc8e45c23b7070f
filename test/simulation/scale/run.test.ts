import { afterEach, describe, expect, it } from 'vitest';
import { calledOperations } from './callers.ts';
import { readScaleOptions } from './options.ts';
import { runScale, type ScaleResult } from './run.ts';

const silent = { seeded: () => {}, passed: () => {} };
let result: ScaleResult | undefined;
afterEach(() => result?.world.close());
async function run(args: string): Promise<ScaleResult> {
  result = await runScale(readScaleOptions(args.split(' ')), silent);
  return result;
}

describe('a simulation', () => {
  it('delivers to everybody who is well, once, and leaves the others to their policy', async () => {
    const { http, ill, mail, waiting, deadLetters } = await run('--subscribers 400 --mail 20 --events 2 --minutes 12');
    expect(http.map(({ due, reached, lost, doubled }) => [reached - due, lost, doubled])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(ill.map(({ reached, lost }) => [reached, lost])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(mail.map(({ due, reached, doubled }) => [due, reached, doubled])).toEqual([
      [20, 20, 0],
      [20, 20, 0],
    ]);
    expect(waiting.get('retry')).toBe(2 * (ill[0]?.due ?? 0));
    expect([...deadLetters]).toEqual([]);
  });

  it('goes the same way with the same seed, and another with another', async () => {
    const figures = async (seed: number) => {
      const { http, world } = await run(`--subscribers 200 --minutes 2 --seed ${seed}`);
      const calls = [...world.bill.calls];
      world.close();
      return [http, calls];
    };
    const first = await figures(1);
    expect(await figures(1)).toEqual(first);
    expect(await figures(2)).not.toEqual(first);
  });

  it('tells a mail that a spent quota holds up from one that is lost', async () => {
    const { mail, world } = await run('--subscribers 0 --mail 30 --mail-quota 10 --minutes 12');
    expect(mail.map(({ reached, lost, doubled }) => [reached, lost, doubled])).toEqual([[10, 0, 0]]);
    expect(world.limits.inOrder().map(({ limit }) => limit)).toContain("SES's daily quota");
  });

  it('sees no more than there is room for: ten functions at once', async () => {
    const { http, world } = await run('--subscribers 2000 --concurrency 10 --minutes 12');
    expect(world.compute.mostAtWork).toBe(10);
    expect(world.limits.inOrder().map(({ limit }) => limit)).toContain("the account's concurrency of 10");
    expect(http.map(({ due, reached }) => reached - due)).toEqual([0]);
  });

  it('calls as steadily as it is asked to while deliveries go on', async () => {
    const { world } = await run('--subscribers 20 --callers 5 --minutes 1');
    const { usage } = world.compute;
    expect(calledOperations.map((name) => usage.get(name)?.invocations)).toEqual([300, 300]);
  });

  it('takes the largest event that there may be, and says why where it was not taken', async () => {
    const { http, publications } = await run('--subscribers 20 --body 256KB --minutes 1');
    expect([http[0]?.reached, publications[0]?.refusal]).toEqual([http[0]?.due, undefined]);
    const refused = await run('--subscribers 20 --body 257KB --minutes 1');
    expect(refused.publications[0]?.refusal).toMatch(/^413 /);
  });

  it('removes the subscriptions of a topic that is deleted', async () => {
    const { subscriptions, deadLetters, ill } = await run('--subscribers 500 --delete-topic 60 --minutes 5');
    expect([subscriptions, deadLetters.size]).toEqual([0, 0]);
    // Whoever was down until then is due nothing more.
    expect(ill.map(({ due, lost }) => [due > 0, lost])).toEqual([[true, 0]]);
  });
});
