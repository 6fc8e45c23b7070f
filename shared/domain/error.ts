import * as z from 'zod/mini';

export const errorObject = z.object({ code: z.int32(), message: z.string() });
