import { nextTurn } from '../../domain/deliveries/mail-turn.ts';

export interface Pacer {
  /** Waits for the next turn to send; false when there is none left before the end. */
  turn(): Promise<boolean>;
  /** Lets nobody have a turn for so long. */
  holdBack(milliseconds: number): void;
}

interface Pace {
  readonly intervalMs: number;
  /** Epoch milliseconds of the last turn that may be given. */
  readonly latest: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** Gives turns, one every `intervalMs`, the first one interval from now: the copy before may just have sent. */
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
    holdBack(milliseconds) {
      last = Math.max(last, now() + milliseconds - intervalMs);
    },
  };
}
