/** What a row of the journal tells, in the order in which it tells it; the indexes hold all of it, too. */
export const journalFields = [
  'at',
  'operation',
  'requestId',
  'caller',
  'purpose',
  'uin',
  'names',
  'unknownNames',
  'by',
  'doctype',
  'event',
  'topic',
  'ofCaller',
] as const;
export type JournalField = (typeof journalFields)[number];
