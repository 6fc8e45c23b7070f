import { KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { issuerKeyTimes } from '../contract/authorizer.ts';
import { Fault } from '../model/faults.ts';

interface IssuerKeysOptions {
  /** Reads the issuer's keys and takes them in place of those before. */
  readonly read: () => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Hears of an issuer that cannot be read again, once until it can. */
  readonly onFault: (fault: Fault) => void;
}

const { renewMinutes, retrySeconds, pauseSeconds, keptHours } = issuerKeyTimes;

/**
 * Keeps the issuer's keys fresh around checks that throw `KidNotFoundInJwksError` where they miss one. Keys are read again
 * when they are ten minutes old, so that a withdrawn one is trusted no longer, and at once for a key that is not known; a
 * search that found nothing is followed by ten seconds without another. While the issuer cannot be read, what was read
 * before serves for some hours. @throws what `read` throws when there is nothing that serves
 */
export function issuerKeys({ read, now, onFault }: IssuerKeysOptions) {
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
      if (!isStale) onFault(new Fault('staleKeys', { keptHours }, error));
      isStale = true;
    }
  }

  /** Reads the keys; whoever asks meanwhile waits for the same answer. */
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

  /** The check with keys that have just been read. */
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
