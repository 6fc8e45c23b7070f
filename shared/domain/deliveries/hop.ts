/** One step of a wait: SQS delays a message by at most 900 seconds, so a longer wait is a chain of hops. */
type Hop = { readonly isDue: true } | { readonly isDue: false; readonly delaySeconds: number };

/**
 * @param notBefore epoch milliseconds before which the task must not start
 * @param hopSeconds the longest hop, at most 900
 */
export function nextHop(notBefore: number, now: number, hopSeconds: number): Hop {
  const restMs = notBefore - now;
  if (restMs <= 0) return { isDue: true };
  return { isDue: false, delaySeconds: Math.min(hopSeconds, Math.ceil(restMs / 1000)) };
}
