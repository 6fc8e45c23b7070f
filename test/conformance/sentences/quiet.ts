import { setTimeout as sleep } from 'node:timers/promises';

/** Gives what must not come the time to come. */
export const quietFor = (seconds: number): Promise<void> => sleep(seconds * 1000);
