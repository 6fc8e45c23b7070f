import * as z from 'zod/mini';

/** A public Ed25519 key that verifies the signatures of deliveries (RFC 8037). */
export const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});

/** All valid keys as a JSON Web Key Set (RFC 7517). */
export const publicKeys = z.object({ keys: z.array(publicKey) });
