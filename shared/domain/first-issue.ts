import type * as z from 'zod/mini';

/** Returns the first reason why a schema rejected a value. A rejection has at least one reason. */
export const firstIssue = ({ issues }: z.core.$ZodError): z.core.$ZodIssue => issues[0] as z.core.$ZodIssue;
