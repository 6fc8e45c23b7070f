import type { JsonObject } from '../json-schema.ts';

/** Any JSON: what is published need not be an event of OSIA's. */
export const anyJson: JsonObject = {
  description: 'Any other JSON.',
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
};
