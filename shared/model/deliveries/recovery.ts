import * as z from 'zod/mini';

/** What a recovery covers: what was published from `since` to `until`. RFC 3339. */
export const recovery = z.object({ since: z.string(), until: z.string() });
