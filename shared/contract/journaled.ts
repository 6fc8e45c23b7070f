import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { type Parameters, purpose } from './parameters.ts';

const headers = { purpose } as const;
const errors = ['missingParameter'] as const;
const reads = ['purposeRequired', 'journalDays'] as const;

type HeadersOf<E extends Endpoint> = E['request']['headers'] extends Parameters
  ? E['request']['headers']
  : Record<never, never>;

/** An operation with the header, error and settings that the access journal requires. */
type Journaled<E extends Endpoint> = Omit<E, 'request' | 'errors' | 'reads' | 'isJournaled'> & {
  readonly request: Omit<E['request'], 'headers'> & { readonly headers: HeadersOf<E> & typeof headers };
  readonly errors: readonly (E['errors'][number] | (typeof errors)[number])[];
  readonly reads: readonly (E['reads'][number] | (typeof reads)[number])[];
  readonly isJournaled: true;
};

/**
 * Defines an operation that returns personal data. The operation accepts a `purpose` header, and `record-reads.ts`
 * records each request in the access journal.
 */
export const defineJournaled = <const E extends Endpoint>(endpoint: E): Journaled<E> =>
  defineEndpoint({
    ...endpoint,
    request: { ...endpoint.request, headers: { ...endpoint.request.headers, ...headers } },
    errors: [...endpoint.errors, ...errors],
    reads: [...endpoint.reads, ...reads],
    isJournaled: true,
  }) as Journaled<E>;
