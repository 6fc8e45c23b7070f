import type { JournalField } from '../shared/model/journal/journal-fields.ts';

/** What the fields of a row of the journal say; `toldIn` is added where it is read. */
export const journalMeanings: Readonly<Record<JournalField | 'toldIn', string>> = {
  at: 'when, in UTC; of an event, when it was published',
  operation: 'what was asked: an operation of the API, or a job; of an event, `publishEvent`',
  requestId: 'the request as the log has it; of an event, the id of its message',
  caller:
    'who asked: the issuer of the token and the client; `operator` where somebody ran a job; of an event, who published it, empty where nobody knows',
  purpose: 'what for, in the words of the caller (the header `purpose`)',
  uin: 'whom it is about; missing where a search answered nobody, and where a caller was asked about',
  names: 'attributes that were answered or compared, never what they say',
  unknownNames: 'how many names were asked for besides that are no attributes here',
  by: 'attributes that were searched by',
  doctype: 'of a document: its type',
  event: 'of an event: which one of the 16 of OSIA',
  topic: 'of an event: where it was published',
  ofCaller: 'whose questions were read, where the journal was asked about a caller',
  toldIn:
    'of an event: the object in which it is, or will be, exported who was told of it; no such object: not yet due, or nobody was told',
};
