import { secretMinutes } from '../../contract/secrets.ts';
import { dayMs } from '../../domain/day-ms.ts';
import { Fault } from '../../model/faults.ts';
import type { SecretVersion, SecretVersions } from '../../storage/secrets/store.ts';
import { type SigningKey, signingKey } from './signing-key.ts';

export interface KeyringOptions {
  /** Reads the secret. */
  readonly versions: () => Promise<SecretVersions>;
  /** Days after the current version was made on which the one before it is still valid. */
  readonly overlapDays: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Hears of a secret that could not be read again, once in five minutes. */
  readonly onFault: (fault: Fault) => void;
}

/** The versions that are valid at a time, the current one first. */
export function validVersions(
  { current, previous }: SecretVersions,
  overlapDays: number,
  now: number,
): SecretVersion[] {
  const isOverlap = now < current.createdAt + overlapDays * dayMs;
  return previous !== undefined && isOverlap ? [current, previous] : [current];
}

/**
 * Makes the reader of the keys that are valid now. The secret is read again after five minutes, and nobody waits for it: meanwhile,
 * and while it cannot be read, of which `onFault` hears, the keys read before stay in use. @throws when it could not be read at all
 */
export function keyring({ versions, overlapDays, now, onFault }: KeyringOptions): () => Promise<readonly SigningKey[]> {
  const derived = new Map<string, SigningKey>();
  let known: SecretVersions | undefined;
  let reading: Promise<void> | undefined;
  let readAt = 0;

  async function read(): Promise<void> {
    try {
      known = await versions();
    } catch (error) {
      if (known === undefined) throw error;
      onFault(new Fault('staleSecret', { secret: 'signing' }, error));
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
