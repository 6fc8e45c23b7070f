import * as z from 'zod/mini';

/** A slot in a limit, with its expiry time (epoch milliseconds). */
export const slotRow = z.object({ slot: z.string(), until: z.int() });
