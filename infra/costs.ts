import { readFileSync } from 'node:fs';
import { authorizer } from '../shared/contract/authorizer.ts';
import type { Endpoint } from '../shared/contract/endpoint.ts';

/** What a request of an operation takes; an operation may have several rows, which `of` tells apart. */
interface OperationRow {
  readonly operation: string;
  readonly of: string;
  /** Calls that its function makes, and objects of S3 that it asks for, writes or lists. */
  readonly dynamodb: number;
  readonly s3: number;
  /** Of its function. */
  readonly milliseconds: number;
  /** Of the answer. */
  readonly kilobytes: number;
  /** Dollars of a million, with what follows where `of` says so. */
  readonly million: string;
}

/** What is done beside answering requests, and what it takes. */
interface WorkRow {
  readonly what: string;
  readonly dollars: string;
}

/** What is counted of costs. */
export interface Costs {
  readonly pricesOf: string;
  readonly operations: readonly OperationRow[];
  readonly work: readonly WorkRow[];
  /** Of a country, for which numbers are assumed. */
  readonly year: { readonly of: string; readonly rows: readonly WorkRow[]; readonly together: string };
}

/** Written by `npm run cost`, which counts for some minutes. */
export const costs = JSON.parse(readFileSync(new URL('costs.json', import.meta.url), 'utf8')) as Costs;

/** The operations without a row, and the rows of what is no operation. */
export function costGaps(endpoints: readonly Endpoint[], { operations }: Costs): string[] {
  const wanted = new Set([...endpoints.map(({ operation }) => operation), authorizer.name]);
  const counted = new Set(operations.map(({ operation }) => operation));
  return [...[...wanted].filter((one) => !counted.has(one)), ...[...counted].filter((one) => !wanted.has(one))];
}
