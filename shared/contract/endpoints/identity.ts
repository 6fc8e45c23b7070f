import * as z from 'zod/mini';
import { attributeMap } from '../../model/attributes.ts';
import { lineOfText } from '../../model/text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { idempotencyKey } from '../parameters.ts';

export const generateUin = defineEndpoint({
  operation: 'generateUin',
  area: 'identity',
  method: 'POST',
  path: '/v1/uin',
  summary: 'Mint a UIN and register the person under it',
  scopes: ['uin.generate'],
  request: {
    query: { transactionId: z.optional(lineOfText) },
    headers: { 'idempotency-key': idempotencyKey },
    body: { json: attributeMap },
  },
  replies: { 200: z.string() },
  refuses: [400, 413],
  uses: ['persons:mint'],
  reads: ['uinLength', 'extraAttributes'],
  impact: 'Births cannot be registered: no UIN is minted.',
  isBuilt: true,
});
