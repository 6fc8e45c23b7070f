import { KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { issuerKeyTimes } from '../contract/authorizer.ts';
import { InternalError } from '../domain/internal-errors.ts';

interface IssuerKeysOptions {
  /** Reads the issuer's keys and replaces the cached keys. */
  readonly read: () => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /**
   * Called when the cached keys cannot be renewed. Further failures are not reported until the keys have been read
   * successfully again.
   */
  readonly onError: (fault: InternalError) => void;
}

const { renewMinutes, retrySeconds, pauseSeconds, keptHours } = issuerKeyTimes;

/**
 * Runs token checks with the issuer's current keys. A token check must throw `KidNotFoundInJwksError` if the token's
 * key is unknown. The keys are read again after ten minutes, and immediately if a token names an unknown key. If a key
 * remains unknown after a read, unknown keys cause no further read for ten seconds. If the issuer is unavailable, the
 * cached keys remain valid for six hours.
 * @throws the error from `read` if no keys are valid
 */
export function issuerKeys({ read, now, onError }: IssuerKeysOptions) {
  let reading: Promise<void> | undefined;
  let [readAt, askedAt, missedAt] = [-Infinity, -Infinity, -Infinity];
  let isStale = false;

  async function ask(): Promise<void> {
    askedAt = now();
    try {
      await read();
      readAt = askedAt;
      isStale = false;
    } catch (error) {
      if (now() - readAt >= keptHours * 3_600_000) throw error;
      if (!isStale) onError(new InternalError('staleKeys', { keptHours }, error));
      isStale = true;
    }
  }

  /** Reads the keys. Concurrent callers share one read. */
  function renew(): Promise<void> {
    reading ??= ask().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function isDue(): boolean {
    const age = now() - readAt;
    if (age >= keptHours * 3_600_000) return true;
    return age >= renewMinutes * 60_000 && now() - askedAt >= retrySeconds * 1000;
  }

  /** Runs a token check after the keys have been read. Records the time if the token's key is still unknown. */
  function last<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (error instanceof KidNotFoundInJwksError) missedAt = now();
      throw error;
    }
  }

  const withKeys = async <T>(check: () => T): Promise<T> => {
    if (!isDue()) {
      try {
        return check();
      } catch (error) {
        const isPause = reading === undefined && now() - missedAt < pauseSeconds * 1000;
        if (!(error instanceof KidNotFoundInJwksError) || isPause) throw error;
      }
    }
    await renew();
    return last(check);
  };
  return { withKeys, renew };
}
