import type { FunctionPool } from './function-pool.ts';
import type { Outcome } from './sandbox-protocol.ts';

type Invoke = FunctionPool['invoke'];

const throttled: Outcome = { failure: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' } };

/** Returns a wrapper for `invoke`. The maximum applies to all wrapped functions together. */
function limitTo(maximum: number): (invoke: Invoke) => Invoke {
  let running = 0;
  return (invoke) =>
    async (...call) => {
      if (running >= maximum) return throttled;
      running += 1;
      try {
        return await invoke(...call);
      } finally {
        running -= 1;
      }
    };
}

/**
 * Throttles functions as Lambda does. A function's reserved concurrency is also its maximum concurrency. Functions
 * without a reservation share the account's unreserved concurrency ("Configuring reserved concurrency for a function",
 * Lambda Developer Guide).
 * @returns a function that limits concurrent calls to a reservation, or to the unreserved concurrency if there is none
 */
export function shareConcurrency(concurrency: number, reservations: readonly number[]) {
  const shared = limitTo(reservations.reduce((rest, reserved) => rest - reserved, concurrency));
  return (reserved: number | undefined) => (reserved === undefined ? shared : limitTo(reserved));
}
