import { ClientError } from '../domain/client-errors.ts';
import type { JournalDetails } from '../domain/journal/journal-row.ts';
import { minuteMs } from '../domain/time.ts';
import { type JournaledRequest, type JournalTools, type PutRows, recordPersons } from './record-reads.ts';

type Tools = JournalTools & {
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
export async function rejectIgnoring({ client }: JournaledRequest, most: number, { limits, settings, now }: Tools) {
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
  tools: Tools,
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
