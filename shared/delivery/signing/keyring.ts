import { secretMinutes } from '../../contract/secret-names.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { dayMs } from '../../domain/time.ts';
import type { SecretVersion, SecretVersions } from '../../storage/secrets/store.ts';
import { type SigningKey, signingKey } from './signing-key.ts';

export interface KeyringOptions {
  readonly versions: () => Promise<SecretVersions>;
  readonly overlapDays: number;
  readonly now: () => number;
  /** Called at most once in five minutes, when the secret could not be read again. */
  readonly onError: (fault: InternalError) => void;
}

/** Returns the versions that are valid at `now` (epoch milliseconds), the current one first. */
export function validVersions(
  { current, previous }: SecretVersions,
  overlapDays: number,
  now: number,
): SecretVersion[] {
  const isOverlap = now < current.createdAt + overlapDays * dayMs;
  return previous !== undefined && isOverlap ? [current, previous] : [current];
}

/**
 * Returns a function that returns the valid keys. It refreshes them in the background every five minutes, and keeps the
 * old keys while the secret cannot be read.
 * @throws if the secret could never be read
 */
export function keyring({ versions, overlapDays, now, onError }: KeyringOptions): () => Promise<readonly SigningKey[]> {
  const derived = new Map<string, SigningKey>();
  let known: SecretVersions | undefined;
  let reading: Promise<void> | undefined;
  let readAt = 0;

  async function read(): Promise<void> {
    try {
      known = await versions();
    } catch (error) {
      if (known === undefined) throw error;
      onError(new InternalError('staleSecret', { secret: 'signing' }, error));
    }
    readAt = now();
  }

  function keyOf({ text }: SecretVersion): SigningKey {
    const key = derived.get(text) ?? signingKey(text);
    derived.set(text, key);
    return key;
  }

  return async () => {
    if (known === undefined || now() - readAt >= secretMinutes * 60_000) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      if (known === undefined) await reading;
    }
    return known === undefined ? [] : validVersions(known, overlapDays, now()).map(keyOf);
  };
}
