import * as z from 'zod/mini';

/** What is answered of a message that was taken: the id that its deliveries will have. */
export const messageIdAnswer = z.object({ messageId: z.string() });
