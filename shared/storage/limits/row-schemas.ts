import * as z from 'zod/mini';

/** A slot of a limit, with its expiry (epoch milliseconds). */
export const slotRow = z.object({ slot: z.string(), until: z.int() });
