import {
  buckets,
  importLifetime,
  journalOldDays,
  messageLifetime,
  renditionLifetimes,
} from '../../../shared/contract/buckets.ts';
import type { StoredData } from './stored-data.ts';

const { documents, renditions, messages, imports } = buckets.documents;
const bucket = 'documents';

function exported(name: keyof typeof buckets.exportedJournal, what: string, of: StoredData['about']): StoredData[] {
  const at = { bucket: 'exportedJournal', prefix: buckets.exportedJournal[name] } as const;
  return [
    {
      ...{ what, at, about: of },
      days: { setting: 'journalLockDays' },
      ends: 'after the export, and not before',
    },
    {
      what: 'the same, replaced when a failed export was repeated',
      ...{ at: { ...at, isOld: true }, about: of },
      days: journalOldDays,
      ends: 'after that, and not before its lock ends',
    },
  ];
}

export const bucketData: readonly StoredData[] = [
  {
    what: 'documents',
    at: { bucket, prefix: documents },
    about: 'a person',
    ends: 'their writer deletes them, or the last person they are about is removed',
  },
  {
    what: 'old versions of replaced or deleted documents',
    at: { bucket, prefix: documents, isOld: true },
    about: 'a person',
    days: { setting: 'documentVersionDays' },
    ends: 'after that, or the version is deleted, or the last person they are about is removed',
  },
  {
    what: 'converted documents',
    at: { bucket, prefix: renditions },
    about: 'a person',
    days: renditionLifetimes.days,
    ends: 'after the conversion, or earlier if the source is deleted or replaced',
  },
  {
    what: 'the same, replaced or deleted',
    at: { bucket, prefix: renditions, isOld: true },
    about: 'a person',
    days: renditionLifetimes.oldDays,
    ends: 'after that',
  },
  {
    what: 'event bodies over 4 KiB',
    at: { bucket, prefix: messages },
    about: 'the persons in events',
    days: { setting: 'deliveryDays', more: messageLifetime.moreDays },
    ends: 'after the publication, and after retries that are due later than half of `deliveryDays`',
  },
  {
    what: 'the same, replaced',
    at: { bucket, prefix: messages, isOld: true },
    about: 'the persons in events',
    days: messageLifetime.oldDays,
    ends: 'after that',
  },
  {
    what: 'files of changes with the data of persons, and reports without values',
    at: { bucket, prefix: imports },
    about: 'a person',
    days: { setting: 'importDays' },
    ends: 'after the upload',
  },
  {
    what: 'the same, replaced or expired',
    at: { bucket, prefix: imports, isOld: true },
    about: 'a person',
    days: importLifetime.oldDays,
    ends: 'after that',
  },
  ...exported('journal', 'the exported journal: who requested what about which person, without values', 'a person'),
  ...exported('deliveries', 'recipients of events: subscription ids and results', 'a subscriber'),
];
