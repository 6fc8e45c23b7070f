import { afterAll, expect } from 'vitest';
import { type QueueName, queues } from '../../shared/contract/queues.ts';
import type { World } from './world.ts';

const isFault = (line: string): boolean => /"message":"failed"|refused a mail|Invoke Error|Task timed out/.test(line);
// Throwing is how a Lambda authorizer answers 401: the one failure that is meant.
const isRefusal = (line: string): boolean => line.startsWith('authorize:') && line.includes('Unauthorized');
const isDeath = (line: string): boolean => line.includes('Runtime.ExitError');

/**
 * At the end of the file: no function has logged a fault of ours, and no message was put aside.
 * @param hasDeaths the file ends functions in the middle of their work
 */
export function leavesNoFaults({ logLines, aws }: World, { hasDeaths = false } = {}): void {
  const isMeant = (line: string): boolean => isRefusal(line) || (hasDeaths && isDeath(line));
  afterAll(async () => {
    expect(logLines().filter((line) => isFault(line) && !isMeant(line))).toEqual([]);
    const names = Object.keys(queues) as QueueName[];
    const depths = await Promise.all(names.map(async (name) => [name, await aws.depth(`${name}DeadLetters`)]));
    expect(depths.filter(([, depth]) => depth !== 0)).toEqual([]);
  });
}
