import * as z from 'zod/mini';

/** Interface section 2.2. */
export const errorObject = z.object({ code: z.int32(), message: z.string() });
export type ErrorObject = z.infer<typeof errorObject>;
