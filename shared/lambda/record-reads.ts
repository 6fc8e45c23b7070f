import { ClientError } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';
import type { JournalDetails, JournalEntry } from '../domain/journal/journal-row.ts';

/** The parts of a request that the journal records. */
export interface JournaledRequest {
  readonly operation: string;
  readonly requestId: string;
  readonly client: string;
  readonly headers: { readonly purpose: string | undefined };
}

export interface JournalTools {
  readonly settings: { readonly purposeRequired: boolean; readonly journalDays: number };
  readonly now: () => number;
  readonly newId: () => string;
}

export type PutRows = (entry: JournalEntry) => Promise<void>;

/**
 * Records persons in the journal, such as the persons in a response who became known only when the data was read.
 * @throws InternalError `notJournaled`
 */
export async function recordPersons(
  put: PutRows,
  { operation, requestId, client, headers }: JournaledRequest,
  about: readonly JournalDetails[],
  tools: JournalTools,
): Promise<void> {
  const who = { operation, requestId, caller: client, purpose: headers.purpose };
  const when = { id: tools.newId(), at: tools.now(), days: tools.settings.journalDays };
  await put({ rows: about.map((one) => ({ ...who, ...one })), ...when }).catch((error: unknown) => {
    throw new InternalError('notJournaled', { operation }, error);
  });
}

/** @throws ClientError `missingParameter` if the deployment requires a purpose and the request has none */
export function requirePurpose({ headers }: Pick<JournaledRequest, 'headers'>, { settings }: JournalTools): void {
  if (headers.purpose !== undefined || !settings.purposeRequired) return;
  const mend = 'state briefly why you need the data, for example Purpose: passport application';
  throw new ClientError('missingParameter', `purpose is required in the headers: ${mend}`);
}

/**
 * Reads data and, at the same time, records in the journal whose data is read. Rejects if the data cannot be read or
 * the journal cannot be written.
 * @throws InternalError `notJournaled`, or ClientError `missingParameter` before any data is read
 */
export async function readAndRecord<Read>(
  request: JournaledRequest,
  tools: JournalTools & { readonly journal: { readonly put: PutRows } },
  about: readonly JournalDetails[],
  read: () => Promise<Read>,
): Promise<Read> {
  requirePurpose(request, tools);
  const [found] = await Promise.all([read(), recordPersons(tools.journal.put, request, about, tools)]);
  return found;
}
