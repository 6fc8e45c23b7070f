import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { purpose } from './parameters.ts';

const headers = { purpose } as const;
const errors = ['missingParameter'] as const;
const reads = ['purposeRequired', 'journalDays'] as const;

/** An operation with the header, error and settings that the access journal requires. */
type Journaled<E extends Endpoint> = Omit<E, 'errors' | 'reads'> & {
  readonly request: { readonly headers: typeof headers };
  readonly errors: readonly (E['errors'][number] | (typeof errors)[number])[];
  readonly reads: readonly (E['reads'][number] | (typeof reads)[number])[];
};

/**
 * Defines an operation that returns personal data. The operation accepts a `purpose` header, and `record-reads.ts`
 * records each request in the access journal before the response is sent.
 */
export const defineJournaled = <const E extends Endpoint>(endpoint: E): Journaled<E> =>
  defineEndpoint({
    ...endpoint,
    request: { ...endpoint.request, headers: { ...endpoint.request.headers, ...headers } },
    errors: [...endpoint.errors, ...errors],
    reads: [...endpoint.reads, ...reads],
  }) as Journaled<E>;
