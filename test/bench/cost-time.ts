import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { megabytesOfCore } from '../simulation/scale/costs.ts';
import type { World } from '../simulation/scale/world.ts';

// Kept aside: it is the simulation's while its clock is installed.
const { setTimeout } = globalThis;

/** How many functions are at work at what no simulated clock knows of, and the share of a core that the last of them has. */
let [atRealWork, share] = [0, 1];

/** A function that also converts, reads files or asks others than AWS: for that time passes as it takes. */
export const reallyWorking = (facts: FunctionFacts): FunctionFacts => ({
  ...facts,
  async handler(...given) {
    atRealWork += 1;
    share = Math.min(1, (facts.memoryMegabytes ?? 512) / megabytesOfCore);
    try {
      return await facts.handler(...given);
    } finally {
      atRealWork -= 1;
    }
  },
});

/** Lets the time of a simulation pass until something is done. */
export async function passTime<Done>({ clock, compute }: World, working: Promise<Done>): Promise<Done> {
  // One of a simulation before may have been at work when that ended.
  atRealWork = 0;
  let isOver = false;
  const ended = () => {
    isOver = true;
  };
  working.then(ended, ended);
  const isReal = () => atRealWork > 0 && compute.calling === 0;
  while (!isOver) {
    if (isReal()) {
      const began = performance.now();
      await new Promise((resolve) => void setTimeout(resolve, 1));
      await clock.run({ until: clock.now() + (performance.now() - began) / share });
    } else await clock.run({ until: clock.now() + 5000, isDone: () => isOver || isReal() });
  }
  return working;
}
