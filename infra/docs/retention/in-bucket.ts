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
      ends: 'after the export; locked until the retention ends',
    },
    {
      what: 'old versions of exported files that repeated exports have replaced',
      ...{ at: { ...at, isOld: true }, about: of },
      days: journalOldDays,
      ends: 'after the replacement; never before the lock of the old version ends',
    },
  ];
}

export const bucketData: readonly StoredData[] = [
  {
    what: 'documents',
    at: { bucket, prefix: documents },
    about: 'a person',
    ends: 'the system that wrote the document deletes it, or all persons named in it are removed',
  },
  {
    what: 'old versions of replaced or deleted documents',
    at: { bucket, prefix: documents, isOld: true },
    about: 'a person',
    days: { setting: 'documentVersionDays' },
    ends: 'after the replacement or deletion; earlier if an operator deletes the version or all persons named in the document are removed',
  },
  {
    what: 'converted documents',
    at: { bucket, prefix: renditions },
    about: 'a person',
    days: renditionLifetimes.days,
    ends: 'after the conversion; earlier if the original document is deleted or replaced',
  },
  {
    what: 'old versions of converted documents',
    at: { bucket, prefix: renditions, isOld: true },
    about: 'a person',
    days: renditionLifetimes.oldDays,
    ends: 'after the replacement or deletion',
  },
  {
    what: 'event bodies over 4 KiB',
    at: { bucket, prefix: messages },
    about: 'the persons in events',
    days: { setting: 'deliveryDays', more: messageLifetime.moreDays },
    ends: 'after publication; later if retries are due after half of deliveryDays',
  },
  {
    what: 'old versions of event bodies',
    at: { bucket, prefix: messages, isOld: true },
    about: 'the persons in events',
    days: messageLifetime.oldDays,
    ends: 'after the replacement',
  },
  {
    what: 'import files, which contain personal data; import reports, which contain no attribute values',
    at: { bucket, prefix: imports },
    about: 'a person',
    days: { setting: 'importDays' },
    ends: 'after the upload',
  },
  {
    what: 'old versions of import files and import reports',
    at: { bucket, prefix: imports, isOld: true },
    about: 'a person',
    days: importLifetime.oldDays,
    ends: 'after the replacement or expiry',
  },
  ...exported('journal', 'the exported journal: requests about persons, without attribute values', 'a person'),
  ...exported('deliveries', 'recipients of events: subscription ids and delivery results', 'a subscriber'),
];
