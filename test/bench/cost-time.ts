import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { megabytesOfCore } from '../simulation/scale/costs.ts';
import type { World } from '../simulation/scale/world.ts';

// The real timer, saved before the simulated clock replaces it.
const { setTimeout } = globalThis;

/**
 * The number of functions that wait for something outside the simulated clock, and the share of a core of the last one.
 */
let [atRealWork, share] = [0, 1];

/** A function that converts, reads files or calls anything but AWS: its time passes as it really does. */
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

/** Advances the simulated time until an action has finished. */
export async function passTime<Done>({ clock, compute }: World, working: Promise<Done>): Promise<Done> {
  // A function of an earlier simulation may have been active when that simulation ended.
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
