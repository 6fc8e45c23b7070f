import * as z from 'zod/mini';
import { missingOr } from '../missing.ts';

export const operators = ['<', '>', '=', '>=', '<='] as const;
export type Operator = (typeof operators)[number];

export const expression = z.strictObject(
  {
    attributeName: z.string({ error: missingOr('must be an attribute name, such as gender') }),
    operator: z.enum(operators, { error: missingOr('must be one of < > = >= <=') }),
    value: z.union([z.string(), z.int(), z.boolean()], {
      error: missingOr('must be a string, an integer or a boolean'),
    }),
  },
  { error: 'must be an object with attributeName, operator and value, and nothing else' },
);
export const expressions = z.array(expression, {
  error: ({ input }) => {
    const hint = typeof input === 'object' && input !== null ? ': put the object into a list' : '';
    return `must be a list of expressions, such as [{"attributeName":"gender","operator":"=","value":1}]${hint}`;
  },
});
export type Expression = z.infer<typeof expression>;

/**
 * The Matching Error of OSIA data access 1.0. Code 0 means that the person lacks the attribute; code 1 means that the
 * value differs.
 */
export const matchingError = z.object({ attributeName: z.string(), errorCode: z.literal([0, 1]) });
export type MatchingError = z.infer<typeof matchingError>;
