/**
 * When the next mail of a copy may be sent: `intervalMs` after the turn before it, or at once when that has passed. Epoch
 * milliseconds.
 * @returns undefined when the turn would come after `latest`
 */
export function nextTurn(turn: {
  readonly last: number;
  readonly now: number;
  readonly intervalMs: number;
  readonly latest: number;
}): number | undefined {
  const at = Math.max(turn.now, turn.last + turn.intervalMs);
  return at <= turn.latest ? at : undefined;
}

/** Milliseconds to wait after SES has said "too fast" for the first, second and third time; after that, no more. */
export const throttleWaitsMs: readonly number[] = [1000, 2000, 4000];
