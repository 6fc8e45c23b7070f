import { nextTurn } from '../../domain/deliveries/mail-pace.ts';

export interface Pacer {
  /** Waits for the next turn to send. Returns false if there is none before `latest`. */
  turn(): Promise<boolean>;
  delay(milliseconds: number): void;
}

interface Pace {
  readonly intervalMs: number;
  /** Epoch milliseconds of the last possible turn. */
  readonly latest: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** Gives one turn per `intervalMs`. The first one waits too, because another copy may just have sent a mail. */
export function pacer({ intervalMs, latest, now, sleep }: Pace): Pacer {
  let last = now();
  return {
    async turn() {
      const at = nextTurn({ last, now: now(), intervalMs, latest });
      if (at === undefined) return false;
      last = at;
      await sleep(Math.max(0, at - now()));
      return true;
    },
    delay(milliseconds) {
      last = Math.max(last, now() + milliseconds - intervalMs);
    },
  };
}
