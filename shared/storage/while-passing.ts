import { setTimeout as sleep } from 'node:timers/promises';

const mostTries = 6;
const firstPauseMs = 25;

/**
 * Does a write again, each time a little later and six times in all, while its error says nothing about what was written:
 * another transaction holds the row at this moment, say, which the SDK takes for an error of ours.
 */
export async function whilePassing<Done>(
  write: () => Promise<Done>,
  isPassing: (error: unknown) => boolean,
): Promise<Done> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === mostTries || !isPassing(error)) throw error;
      await sleep(firstPauseMs * 2 ** (tries - 1));
    }
  }
}
