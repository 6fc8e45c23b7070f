import * as z from 'zod/mini';

/** One of the places of a limit, and until when it is held, epoch milliseconds. */
export const slotRow = z.object({ slot: z.string(), until: z.int() });
