import { type KeyringOptions, keyring, type SigningKey } from '../../../shared/delivery/signing/keyring.ts';
import { signer } from '../../../shared/delivery/signing/signature.ts';
import type { ComposedMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { verify } from '../../../shared/receiver/verify.ts';
import type { SecretVersions } from '../../../shared/storage/secrets/store.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { currentInstance } from '../lambda/platform.ts';
import { settings } from './world.ts';

// Receivers may cache the published keys for one hour (see functions/access/publish-keys.ts).
const cachedMs = 3_600_000;

export type Signing = ReturnType<typeof signingOf>;

/** Simulates rotations of the signing secret, instances that sign messages, and receivers that verify signatures. */
export function signingOf(clock: VirtualClock) {
  const secretAt = (createdAt: number) => ({ text: `the signing secret of ${createdAt}`, createdAt });
  let secret: SecretVersions = { current: secretAt(clock.now()), previous: undefined };
  const overlapDays = Number(settings.signatureOverlapDays);
  const onError = (fault: Error): never => {
    throw fault;
  };
  const keysOf = (now: KeyringOptions['now']) => keyring({ versions: async () => secret, overlapDays, now, onError });
  const published = keysOf(clock.now);
  const newSigner = () => signer({ keys: keysOf(Date.now), hasHmac: false, now: Date.now });
  const signers = new WeakMap<object, ReturnType<typeof newSigner>>();
  const cached = new Map<string, { readonly keys: readonly SigningKey[]; readonly until: number }>();

  /** Returns a receiver's cached keys, or downloads the published keys if the cache has expired. */
  async function keysOfReceiver(address: string): Promise<readonly SigningKey[]> {
    const known = cached.get(address);
    if (known !== undefined && clock.now() < known.until) return known.keys;
    const keys = await published();
    cached.set(address, { keys, until: clock.now() + cachedMs });
    return keys;
  }

  return {
    rotate(): void {
      secret = { current: secretAt(clock.now()), previous: secret.current };
    },
    /** Signs a message as the current instance, and returns whether the receiver can verify the signature. */
    async isVerified(message: ComposedMessage, address: string): Promise<boolean> {
      const instance = currentInstance() ?? {};
      const sign = signers.get(instance) ?? newSigner();
      signers.set(instance, sign);
      const headers = { ...message.headers, ...(await sign(message)) };
      const keys = (await keysOfReceiver(address)).map(({ publicKey }) => ({ ...publicKey }));
      return verify(headers, message.body, { keys }, clock.now()) !== undefined;
    },
  };
}
