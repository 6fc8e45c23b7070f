import * as z from 'zod/mini';
import { publicKeys } from '../../domain/deliveries/public-key.ts';
import { defineEndpoint } from '../endpoint.ts';
import { interfaceFiles } from '../interface-files.ts';
import { cacheHeaders, ifNoneMatch } from '../parameters.ts';
import { type Bytes, bytes, empty, json } from '../schemas.ts';

export const publishKeys = defineEndpoint({
  operation: 'publishKeys',
  method: 'GET',
  path: '/v1/.well-known/jwks.json',
  summary: 'Read the public keys that verify the signatures of deliveries',
  description:
    'Returns a JSON Web Key Set. The keys verify the HTTP Message Signatures and the Standard Webhooks signatures of deliveries.',
  scopes: [],
  request: {},
  replies: {
    200: json(publicKeys, {
      description: 'The keys.',
      example: {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'k3Zr0Yb1',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
      headers: { 'cache-control': z.string() },
    }),
  },
  errors: [],
  uses: ['signing:read'],
  reads: ['signatureOverlapDays'],
  impact: 'Receivers that have not read the keys yet cannot verify deliveries.',
});

const filesByType = Map.groupBy(Object.entries(interfaceFiles), ([, { mediaType }]) => mediaType);
const fileTypes: Bytes['mediaTypes'] = Object.fromEntries(
  [...filesByType].map(([mediaType, files]) => [
    mediaType,
    Object.fromEntries(files.map(([name, { example }]) => [name, { summary: name, value: example }])),
  ]),
);

export const readInterface = defineEndpoint({
  operation: 'readInterface',
  method: 'GET',
  // Monitoring tools check the health of the API with HEAD requests.
  hasHead: true,
  path: '/v1/{file}',
  summary: 'Read the API description or check the health of the API',
  description:
    'Returns this OpenAPI file, the description of one of the two OSIA interfaces, or a page that describes the whole API (`reference`). ' +
    'For `health`, returns the status of the API without accessing stored data.',
  scopes: [],
  request: {
    path: {
      file: {
        // The handler treats any other file name as an unknown route.
        schema: z.string().check(z.meta({ enum: Object.keys(interfaceFiles) })),
        description: 'The file to read: an API description or `health`.',
        example: 'openapi.json',
      },
    },
    headers: { 'if-none-match': ifNoneMatch },
  },
  replies: {
    200: bytes(fileTypes, 'The description, or `{"status":"ok"}`.', {
      ...cacheHeaders,
      'content-type': z.string(),
      'content-security-policy': z.optional(z.string()),
    }),
    304: empty('The caller’s copy is current.', cacheHeaders),
  },
  errors: ['unknownRoute'],
  uses: [],
  reads: ['baseUrl', 'oidcTokenUrl'],
  impact: 'The API description cannot be read, and health checks report that the API is down.',
});
