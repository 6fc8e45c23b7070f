import { ClientError } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';
import type { JournalDetails, JournalEntry } from '../domain/journal/journal-row.ts';
import { minuteMs } from '../domain/time.ts';

/** The parts of a request that the journal records. */
interface JournaledRequest {
  readonly operation: string;
  readonly requestId: string;
  readonly client: string;
  readonly headers: { readonly purpose: string | undefined };
}

interface JournalTools {
  readonly settings: { readonly purposeRequired: boolean; readonly journalDays: number };
  readonly now: () => number;
  readonly newId: () => string;
}

type PutRows = (entry: JournalEntry) => Promise<void>;

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

type SearchTools = JournalTools & {
  readonly journal: { readonly putMany: PutRows };
  readonly limits: {
    searchRows(caller: string, now: number): Promise<number>;
    addSearchRows(caller: string, add: number, most: number, now: number): Promise<object | undefined>;
  };
  readonly settings: { readonly searchRowsPerMinute: number };
};

// Searches with at most this many matches are unlimited, because clients search before every registration.
const unlimitedRows = 20;

function tooManyResults(max: number, now: number): ClientError {
  const seconds = Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  const why = `the searches of this client found ${max} persons in a minute`;
  return new ClientError('tooManyResults', `${why}: try again in ${seconds} seconds, or give more attributes`, seconds);
}

/**
 * If the client has ignored many 429 responses, rejects a search that may have more than 20 matches. The rejection does
 * not depend on the matches, so nothing is recorded in the journal.
 * @throws ClientError `tooManyResults`
 */
export async function rejectIgnoring(
  { client }: JournaledRequest,
  most: number,
  { limits, settings, now }: SearchTools,
) {
  const max = settings.searchRowsPerMinute;
  const at = now();
  if (most > unlimitedRows && (await limits.searchRows(client, at)) >= 1.5 * max) throw tooManyResults(max, at);
}

/**
 * Writes the journal rows for a search with at most `most` matches. If the client has reached its limit, the search
 * fails. The error reveals that more than 20 persons match, so the journal records 21 of them.
 * @throws ClientError `tooManyResults`
 */
export async function recordMatches(
  request: JournaledRequest,
  rows: readonly JournalDetails[],
  most: number,
  tools: SearchTools,
) {
  const max = tools.settings.searchRowsPerMinute;
  const now = tools.now();
  const add = (count: number, below: number) => tools.limits.addSearchRows(request.client, count, below, now);
  // The limit depends on `most`, because an error that depended on the number of matches would reveal that number.
  if (rows.length <= unlimitedRows || (await add(rows.length, max - most)) === undefined)
    return recordPersons(tools.journal.putMany, request, rows, tools);
  await add(unlimitedRows + 1, Number.MAX_SAFE_INTEGER);
  await recordPersons(tools.journal.putMany, request, rows.slice(0, unlimitedRows + 1), tools);
  throw tooManyResults(max, now);
}
