import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keyring, signingKey, validVersions } from '../../../shared/delivery/signing/keyring.ts';
import type { SecretVersions } from '../../../shared/storage/secrets/store.ts';
import { noon } from '../../harness/builders.ts';

const day = 24 * 3600 * 1000;
const minute = 60_000;
const first = { text: 'first', createdAt: noon - 100 * day };
const second = { text: 'second', createdAt: noon };

/** Returns a keyring and a state object that lets tests change the secret or the clock and count the reads. */
function aKeyring(versions: SecretVersions, overlapDays = 7) {
  const state = { versions: () => Promise.resolve(versions), now: noon, reads: 0, faults: [] as unknown[] };
  const keys = keyring({
    versions: () => {
      state.reads++;
      return state.versions();
    },
    overlapDays,
    now: () => state.now,
    onError: (fault) => void state.faults.push(fault),
  });
  const ids = async () => (await keys()).map(({ publicKey }) => publicKey.kid);
  /** Calls the keyring, waits until it has read the secret, and returns the key IDs from a second call. */
  const renewedIds = async () => {
    await ids();
    await setImmediate();
    return ids();
  };
  return { state, ids, renewedIds };
}

const idOf = ({ text }: { text: string }) => signingKey(text).publicKey.kid;

const both = { current: second, previous: first };

it.each([
  [0, 7, [second, first]],
  [7 * day - 1, 7, [second, first]],
  [7 * day, 7, [second]],
  [8 * day, 7, [second]],
  [8 * day, 9, [second, first]],
  [0, 0, [second]],
])(
  'the valid versions include the previous version until the overlap ends: %i ms after a rotation, overlap of %i days',
  (after, overlapDays, expected) => {
    expect(validVersions(both, overlapDays, noon + after)).toEqual(expected);
  },
);

it('only the current version is valid before the first rotation', () => {
  expect(validVersions({ current: first, previous: undefined }, 7, noon)).toEqual([first]);
});

it('a keyring reads the secret only once for concurrent callers, and again after five minutes', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  const results = await Promise.all([ids(), ids(), ids()]);
  expect(results).toEqual(Array(3).fill([idOf(first)]));
  state.now += 5 * minute - 1;
  await ids();
  expect(state.reads).toBe(1);
  state.now += 1;
  await ids();
  expect(state.reads).toBe(2);
});

it('a keyring returns both keys during the overlap after a rotation, and only the new key after the overlap', async () => {
  const { state, ids, renewedIds } = aKeyring({ current: first, previous: undefined });
  expect(await ids()).toEqual([idOf(first)]);
  state.versions = async () => ({ current: second, previous: first });
  state.now += 5 * minute;
  expect(await renewedIds()).toEqual([idOf(second), idOf(first)]);
  state.now = noon + 7 * day;
  expect(await ids()).toEqual([idOf(second)]);
});

it('a keyring reads the secret again before it returns keys that are an hour old', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  await ids();
  state.versions = async () => ({ current: second, previous: first });
  state.now += 60 * minute;
  expect(await ids()).toEqual([idOf(second), idOf(first)]);
});

it('a keyring returns the cached keys while it reads the secret again', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  await ids();
  state.versions = () => new Promise(() => {});
  state.now += 5 * minute;
  expect(await ids()).toEqual([idOf(first)]);
  expect(state.reads).toBe(2);
});

it('a keyring keeps the cached keys while the secret cannot be read', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  await ids();
  state.versions = () => Promise.reject(new Error('throttled'));
  state.now += 6 * minute;
  expect(await ids()).toEqual([idOf(first)]);
});

it('a keyring reports each failed read of the secret', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  await ids();
  state.versions = () => Promise.reject(new Error('throttled'));
  state.now += 5 * minute;
  await Promise.all([ids(), ids()]);
  await setImmediate();
  await ids();
  expect(state.faults).toMatchObject([{ errorName: 'staleSecret', cause: { message: 'throttled' } }]);
  state.now += 5 * minute;
  await ids();
  await setImmediate();
  expect(state.faults).toHaveLength(2);
});

it('a keyring that has no keys throws an error if it cannot read the secret, and tries again at the next call', async () => {
  const { state, ids } = aKeyring({ current: first, previous: undefined });
  const { versions } = state;
  state.versions = () => Promise.reject(new Error('throttled'));
  await expect(ids()).rejects.toThrow('throttled');
  state.versions = versions;
  expect(await ids()).toEqual([idOf(first)]);
});
