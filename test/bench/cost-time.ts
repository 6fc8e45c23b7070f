import { usualMegabytes } from '../../shared/contract/background-functions.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { megabytesOfCore } from '../simulation/scale/costs.ts';
import type { World } from '../simulation/scale/world.ts';

// The real timer is kept because the simulated clock replaces the global `setTimeout`.
const { setTimeout } = globalThis;

/** The number of running functions whose work takes real time, and the CPU share of the function that started last. */
let [atRealWork, share] = [0, 1];

/**
 * Marks a function whose work takes real time, such as conversions or file access. While the function runs, the
 * simulated clock follows real time.
 */
export const reallyWorking = (facts: FunctionFacts): FunctionFacts => ({
  ...facts,
  async handler(...given) {
    atRealWork += 1;
    share = Math.min(1, (facts.memoryMegabytes ?? usualMegabytes) / megabytesOfCore);
    try {
      return await facts.handler(...given);
    } finally {
      atRealWork -= 1;
    }
  },
});

/** Advances the simulated clock until a promise is settled. */
export async function passTime<Done>({ clock, compute }: World, working: Promise<Done>): Promise<Done> {
  // Functions may still have been running when an earlier simulation ended.
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
