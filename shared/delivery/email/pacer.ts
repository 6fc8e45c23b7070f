interface Pace {
  readonly intervalMs: number;
  /** The latest time at which an email may be sent; epoch milliseconds. */
  readonly latest: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * Allows one email per `intervalMs`. Even the first email waits, because another function instance may have just sent
 * an email.
 */
export function pacer({ intervalMs, latest, now, sleep }: Pace) {
  let last = now();
  return {
    /** Waits until the next email may be sent. Returns false at once if this time would be later than `latest`. */
    async turn(): Promise<boolean> {
      const at = Math.max(now(), last + intervalMs);
      if (at > latest) return false;
      last = at;
      await sleep(Math.max(0, at - now()));
      return true;
    },
    delay(milliseconds: number): void {
      last = Math.max(last, now() + milliseconds - intervalMs);
    },
  };
}
