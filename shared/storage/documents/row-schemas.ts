import * as z from 'zod/mini';

export const linkRow = z.object({ mark: z.string() });
