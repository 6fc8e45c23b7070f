import * as z from 'zod/mini';

/** The maximum number of bytes that are kept from the response to a failed attempt. */
export const keptBytes = 512;

/**
 * The beginning of the response to a failed attempt, the end time of the attempt (epoch milliseconds), and the owner of
 * the subscription.
 */
export const keptResponse = z.object({ text: z.string(), at: z.int(), owner: z.string() });
export type KeptResponse = z.infer<typeof keptResponse>;

/**
 * Decodes the beginning of a response as UTF-8. Omits an incomplete character at the end. Replaces each sequence of
 * invalid bytes, control characters and bidirectional controls with one replacement character.
 */
export function readableStart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, keptBytes), { stream: true });
  return text.replace(/[[\p{Cc}\p{Bidi_Control}\ufffd]--[\t\n]]+/gv, '\ufffd').trim();
}
