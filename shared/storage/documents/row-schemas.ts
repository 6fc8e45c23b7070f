import * as z from 'zod/mini';

export const linkRow = z.object({ mark: z.string() });
export const linkPlace = z.object({ secondaryUin: z.string(), place: z.string() });
