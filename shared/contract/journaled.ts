import { defineEndpoint, type Endpoint, type Parameters } from './endpoint.ts';
import { purpose } from './parameters.ts';

const headers = { purpose } as const;
const refuses = ['missingParameter'] as const;
const reads = ['purposeRequired', 'journalDays'] as const;

type HeadersOf<E extends Endpoint> = E['request']['headers'] extends Parameters
  ? E['request']['headers']
  : Record<never, never>;

/** An operation with what journaling adds to it. */
type Journaled<E extends Endpoint> = Omit<E, 'request' | 'refuses' | 'reads' | 'isJournaled'> & {
  readonly request: Omit<E['request'], 'headers'> & { readonly headers: HeadersOf<E> & typeof headers };
  readonly refuses: readonly (E['refuses'][number] | (typeof refuses)[number])[];
  readonly reads: readonly (E['reads'][number] | (typeof reads)[number])[];
  readonly isJournaled: true;
};

/**
 * As `defineEndpoint`, of an operation that tells of persons: it takes the header `purpose`, and its function notes who asks by
 * `noteBeside` or `noteAnswer`.
 */
export const defineJournaled = <const E extends Endpoint>(endpoint: E): Journaled<E> =>
  defineEndpoint({
    ...endpoint,
    request: { ...endpoint.request, headers: { ...endpoint.request.headers, ...headers } },
    refuses: [...endpoint.refuses, ...refuses],
    reads: [...endpoint.reads, ...reads],
    isJournaled: true,
  }) as Journaled<E>;
