import type { JournalField } from '../../shared/domain/journal/journal-row.ts';

/** The meaning of each field of a journal row. Readers of the journal add `exportedIn`. */
export const journalMeanings: Readonly<Record<JournalField | 'exportedIn', string>> = {
  at: 'time in UTC; for an event, when it was published',
  operation: 'the API operation or job; for an event, `publishEvent`',
  requestId: 'the request id in the log; for an event, the message id',
  caller:
    'the caller: issuer of the token and client; `operator` for a job; for an event, its publisher, or empty if unknown',
  purpose: "the purpose in the caller's words (header `purpose`)",
  uin: 'the person; missing if a search found no match, and if the query was about a caller',
  names: 'names of the attributes that were returned or compared, never their values',
  unknownNames: 'how many requested names are not attributes of this registry',
  by: 'attributes in the search',
  doctype: 'for a document: its type',
  event: 'for an event: one of the 16 types of OSIA',
  topic: 'for an event: its topic',
  ofCaller: 'the caller whose requests were read, if the query was about a caller',
  exportedIn:
    'for an event: the file that lists its recipients after the export; missing without recipients, and until the export is due',
};
