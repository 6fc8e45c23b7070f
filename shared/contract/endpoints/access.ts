import * as z from 'zod/mini';
import { publicKeys } from '../../domain/deliveries/public-key.ts';
import { defineEndpoint } from '../endpoint.ts';
import { interfaceFiles } from '../interface-files.ts';
import { bytes, empty, json } from '../reply.ts';

export const publishKeys = defineEndpoint({
  operation: 'publishKeys',
  area: 'access',
  method: 'GET',
  path: '/v1/.well-known/jwks.json',
  summary: 'The public keys that verify the signatures of deliveries, as a JSON Web Key Set',
  scopes: [],
  request: {},
  replies: { 200: json(publicKeys, { headers: { 'cache-control': z.string() } }) },
  refuses: [],
  uses: ['signing:read'],
  reads: ['signatureOverlapDays'],
  impact: 'Receivers that do not have the keys yet cannot verify deliveries.',
});

const kept = { etag: z.string(), 'cache-control': z.string() };

export const readInterface = defineEndpoint({
  operation: 'readInterface',
  area: 'access',
  method: 'GET',
  // Monitors ask for health by it.
  hasHead: true,
  path: '/v1/{file}',
  summary: 'Fetch the description of this interface, whole or a part of it, or ask whether the API answers',
  scopes: [],
  request: {
    // Any other name is an unknown route, as everywhere.
    path: { file: z.string().check(z.meta({ enum: Object.keys(interfaceFiles) })) },
    headers: { 'if-none-match': z.optional(z.string()) },
  },
  replies: {
    200: bytes([...new Set(Object.values(interfaceFiles).map(({ mediaType }) => mediaType))], {
      headers: { ...kept, 'content-type': z.string() },
    }),
    304: empty({ headers: kept }),
  },
  refuses: ['unknownRoute'],
  uses: [],
  reads: ['baseUrl', 'oidcTokenUrl'],
  impact:
    'The description of the interface cannot be fetched, and who watches whether the API answers hears that it does not.',
});
