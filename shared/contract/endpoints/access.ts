import * as z from 'zod/mini';
import { defineEndpoint } from '../endpoint.ts';
import { json } from '../reply.ts';

const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});

export const publishKeys = defineEndpoint({
  operation: 'publishKeys',
  area: 'access',
  method: 'GET',
  path: '/v1/.well-known/jwks.json',
  summary: 'The public keys that verify the signatures of deliveries, as a JSON Web Key Set',
  scopes: [],
  request: {},
  replies: { 200: json(z.object({ keys: z.array(publicKey) }), { headers: { 'cache-control': z.string() } }) },
  refuses: [],
  uses: ['signing:read'],
  reads: ['signatureOverlapDays'],
  impact: 'Receivers that do not have the keys yet cannot verify deliveries.',
});
