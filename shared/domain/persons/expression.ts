import * as z from 'zod/mini';
import { named } from '../missing.ts';

export const operators = ['<', '>', '=', '>=', '<='] as const;
export type Operator = (typeof operators)[number];

/** The Expression of OSIA data access 1.0, with its five operators. */
export const expression = z.strictObject(
  {
    attributeName: z.string({ error: named('must be an attribute name, such as gender') }),
    operator: z.enum(operators, { error: named('must be one of < > = >= <=') }),
    value: z.union([z.string(), z.int(), z.boolean()], { error: named('must be text, an integer or a boolean') }),
  },
  { error: 'must be an object of attributeName, operator and value, and nothing else' },
);
/** Expressions that must all hold. */
export const expressions = z.array(expression, {
  error: ({ input }) => {
    const mend = typeof input === 'object' && input !== null ? ': put the object into a list' : '';
    return `must be a list of expressions, such as [{"attributeName":"gender","operator":"=","value":1}]${mend}`;
  },
});
export type Expression = z.infer<typeof expression>;

/** The Matching Error of OSIA data access 1.0: 0, the person has no such attribute; 1, it differs. */
export const matchingError = z.object({ attributeName: z.string(), errorCode: z.union([z.literal(0), z.literal(1)]) });
export type MatchingError = z.infer<typeof matchingError>;
