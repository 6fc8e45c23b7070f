import * as z from 'zod/mini';

/** A slot of a limit, and when it expires (epoch milliseconds). */
export const slotRow = z.object({ slot: z.string(), until: z.int() });
