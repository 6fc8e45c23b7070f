import { afterAll, expect } from 'vitest';
import { type QueueName, queues } from '../../shared/contract/queue-names.ts';
import { openWorld, type World } from './world.ts';

const isInternalError = (line: string): boolean =>
  /"message":"failed"|refused a mail|Invoke Error|Task timed out/.test(line);
// To return 401, a Lambda authorizer must throw an error, so this error is not an internal error.
const isClientError = (line: string): boolean => line.startsWith('authorize:') && line.includes('Unauthorized');

/** Checks after the tests in a file that no function logged an internal error and all dead-letter queues are empty. */
export function leavesNoErrors({ logLines, aws }: World): void {
  afterAll(async () => {
    expect(logLines().filter((line) => isInternalError(line) && !isClientError(line))).toEqual([]);
    const names = Object.keys(queues) as QueueName[];
    const depths = await Promise.all(names.map(async (name) => [name, await aws.depth(`${name}DeadLetters`)]));
    expect(depths.filter(([, depth]) => depth !== 0)).toEqual([]);
  });
}

/** Opens the stack that all journeys share, and checks after the tests in a file that they left no errors. */
export async function useWorld(): Promise<World> {
  const world = await openWorld();
  leavesNoErrors(world);
  return world;
}
