import type { FunctionPool } from './function-pool.ts';
import type { Outcome } from './sandbox-protocol.ts';

type Invoke = FunctionPool['invoke'];

const throttled: Outcome = { failure: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' } };

/** Returns a function that wraps `invoke`. All wrapped functions together run at most this number of calls at once. */
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
 * Throttles functions as Lambda does. A reservation belongs to one function, and is also its maximum. All other
 * functions share the rest of the account's concurrency ("Configuring reserved concurrency for a function", Lambda
 * Developer Guide).
 * @returns a function that applies a reservation to a function, or the shared rest if it has none
 */
export function shareConcurrency(concurrency: number, reservations: readonly number[]) {
  const shared = limitTo(reservations.reduce((rest, reserved) => rest - reserved, concurrency));
  return (reserved: number | undefined) => (reserved === undefined ? shared : limitTo(reserved));
}
