import { Refusal } from '../model/refusals.ts';

/** The time that a conversion has: so much for each page, so much in all. */
export interface Patience {
  readonly pageMilliseconds: number;
  readonly totalMilliseconds: number;
}

interface Clock {
  nextPage(): void;
  stop(): void;
}

/**
 * Starts to wait for a conversion, not yet for a page of it. @param onEnd hears once the time is over, with the refusal
 * that says so
 */
export function startPatience(patience: Patience, onEnd: (refusal: Refusal) => void): Clock {
  const end = (): void =>
    onEnd(
      new Refusal(
        'conversionFailed',
        'converting this document takes too long; ask for the format that it is stored in',
      ),
    );
  let page: NodeJS.Timeout | undefined;
  const total = setTimeout(end, patience.totalMilliseconds);
  return {
    nextPage() {
      clearTimeout(page);
      page = setTimeout(end, patience.pageMilliseconds);
    },
    stop() {
      clearTimeout(page);
      clearTimeout(total);
    },
  };
}
