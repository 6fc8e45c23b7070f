import * as z from 'zod/mini';

/** OSIA's Error object, the same in all its interfaces. */
export const errorObject = z.object({ code: z.int32(), message: z.string() });
export type ErrorObject = z.infer<typeof errorObject>;
